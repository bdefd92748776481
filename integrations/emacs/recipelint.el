;;; recipelint.el --- Flymake and compilation support for recipelint -*- lexical-binding: t -*-

;; Emacs 27 or newer.  In the init file:
;;   (load "/path/to/recipelint.el")
;;   (add-hook 'sh-mode-hook #'recipelint-setup)
;;   (add-hook 'yaml-mode-hook #'recipelint-setup)
;; `M-x compile RET recipelint check --format unix RET' then lists findings with links as well.

;;; Code:

(require 'flymake)
(require 'compile)

(defvar recipelint-command '("recipelint" "check")
  "The program and its first arguments.")

(defconst recipelint--line
  "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(error\\|warning\\|note\\)\\[\\([A-Za-z0-9-]+\\)\\]: \\(.*\\)$"
  "One line of the `unix' format: file, line, column, level, rule, message.")

(defvar-local recipelint--process nil)

(defun recipelint--diagnostics (source output)
  "Diagnostics for the buffer SOURCE from the buffer OUTPUT."
  (let ((path (buffer-file-name source)) (found nil))
    (with-current-buffer output
      (goto-char (point-min))
      (while (re-search-forward recipelint--line nil t)
        ;; The file is relative to the root of the repository.
        (let ((file (match-string 1))
              (line (string-to-number (match-string 2)))
              (column (string-to-number (match-string 3)))
              (type (pcase (match-string 4) ("error" :error) ("warning" :warning) (_ :note)))
              (text (format "%s [%s]" (match-string 6) (match-string 5))))
          (when (string-suffix-p (concat "/" file) path)
            (let ((region (flymake-diag-region source line column)))
              (push (flymake-make-diagnostic source (car region) (cdr region) type text) found))))))
    (nreverse found)))

(defun recipelint-flymake (report &rest _)
  "A Flymake backend: check the current buffer, saved or not, and call REPORT."
  (unless (executable-find (car recipelint-command))
    (error "Cannot find %s" (car recipelint-command)))
  (when (process-live-p recipelint--process) (kill-process recipelint--process))
  (let ((source (current-buffer)))
    (setq recipelint--process
          (make-process
           :name "recipelint" :noquery t :connection-type 'pipe
           :buffer (generate-new-buffer " *recipelint*")
           :stderr (get-buffer-create " *recipelint stderr*")
           :command (append recipelint-command
                            (list "--format" "unix" "--fail-on" "never"
                                  "--stdin-file" (buffer-file-name source)))
           :sentinel
           (lambda (process _)
             (when (eq (process-status process) 'exit)
               (unwind-protect
                   (when (and (buffer-live-p source)
                              (eq process (buffer-local-value 'recipelint--process source)))
                     (funcall report
                              (recipelint--diagnostics source (process-buffer process))))
                 (kill-buffer (process-buffer process)))))))
    (process-send-region recipelint--process (point-min) (point-max))
    (process-send-eof recipelint--process)))

(defun recipelint-setup ()
  "Check this buffer with recipelint while it is edited."
  (when buffer-file-name
    (add-hook 'flymake-diagnostic-functions #'recipelint-flymake nil t)
    (flymake-mode 1)))

(add-to-list 'compilation-error-regexp-alist-alist
             '(recipelint
               "^\\(.+?\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\|\\(note\\)\\)\\[[A-Za-z0-9-]+\\]: "
               1 2 3 (4 . 5)))
(add-to-list 'compilation-error-regexp-alist 'recipelint)

(provide 'recipelint)
;;; recipelint.el ends here
