-- Diagnostics of recipelint for the buffer that is edited, saved or not. Neovim 0.7 or newer.
-- In init.lua:  dofile("/path/to/recipelint.lua").setup()
local M = { command = { "recipelint", "check" } }

local namespace = vim.api.nvim_create_namespace("recipelint")
local severities = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  note = vim.diagnostic.severity.INFO,
}

-- "file:line:column: level[RULE]: message"; the file is relative to the root of the repository.
local function parse(line, path)
  local file, row, column, level, code, message =
    line:match("^(.-):(%d+):(%d+): (%l+)%[([%w-]+)%]: (.*)$")
  if not file or ("/" .. path):sub(-#file - 1) ~= "/" .. file then
    return nil
  end
  return {
    lnum = tonumber(row) - 1,
    col = tonumber(column) - 1,
    severity = severities[level],
    code = code,
    source = "recipelint",
    message = message .. " [" .. code .. "]",
  }
end

-- Columns count characters, those of Neovim bytes.
local function to_bytes(buffer, diagnostic)
  local line = vim.api.nvim_buf_get_lines(buffer, diagnostic.lnum, diagnostic.lnum + 1, false)[1] or ""
  local byte = vim.fn.byteidx(line, diagnostic.col)
  diagnostic.col = byte < 0 and #line or byte
end

function M.check(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(buffer)
  local arguments = vim.list_extend(vim.deepcopy(M.command),
    { "--format", "unix", "--fail-on", "never", "--stdin-file", path })
  local job = vim.fn.jobstart(arguments, {
    stdout_buffered = true,
    on_stdout = function(_, lines)
      if not vim.api.nvim_buf_is_valid(buffer) then
        return
      end
      local found = {}
      for _, line in ipairs(lines) do
        local diagnostic = parse(line, path)
        if diagnostic then
          to_bytes(buffer, diagnostic)
          table.insert(found, diagnostic)
        end
      end
      vim.diagnostic.set(namespace, buffer, found)
    end,
  })
  if job > 0 then
    local text = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    vim.fn.chansend(job, table.concat(text, "\n") .. "\n")
    vim.fn.chanclose(job, "stdin")
  end
  return job
end

function M.setup()
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "InsertLeave", "TextChanged" }, {
    pattern = { "*.sh", "*.yaml", "*.yml" },
    callback = function(event)
      M.check(event.buf)
    end,
  })
end

return M
