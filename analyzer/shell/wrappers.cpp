#include "analyzer/shell/wrappers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace recipelint::shell {
namespace {

/// How the words before the inner command of a wrapper look. Option lists are separated by blanks.
struct WrapperForm {
  std::string_view name;
  /// Options that take the next word (or the rest of their own) as operand.
  std::string_view with_operand;
  /// Options that take two words.
  std::string_view with_two_operands;
  /// Words that are neither options nor the command: timeout's duration.
  int words_before = 0;
  WrappedCommand::Where where = WrappedCommand::Where::kHere;
  /// Options whose operand is a variable with its value.
  std::string_view environment_options;
};

using Where = WrappedCommand::Where;

constexpr std::string_view kMpiOperands =
    "-n -np -c --np -N --npernode -npernode -ppn -H --host -host -hosts --hostfile -hostfile "
    "-machinefile --machinefile -f -x --bind-to -bind-to --map-by -map-by --rank-by -wdir --wdir "
    "-wd "
    "--output-filename --prefix -genvlist --tune --timeout --pernode-limit --app";
constexpr std::string_view kSrunOperands =
    "-n -N -c -p -t -A -J -w -x -o -e -i -D -m -C -G -q -d -r --nodes --ntasks --ntasks-per-node "
    "--cpus-per-task --partition --time --account --job-name --nodelist --exclude --output --error "
    "--input --chdir --distribution --constraint --gpus --gres --gpus-per-node --gpus-per-task "
    "--qos "
    "--dependency --relative --mem --mpi --container-image --container-mounts --container-name "
    "--container-workdir --container-env --export --jobid --het-group --cpu-bind --mem-bind "
    "--gpu-bind --reservation --threads-per-core --tasks-per-node";
constexpr std::string_view kDockerRunOperands =
    "-e --env --env-file -v --volume -p --publish --name --network --net --gpus --ipc --shm-size "
    "-w "
    "--workdir -u --user --entrypoint --device --ulimit --mount -h --hostname --cap-add --cap-drop "
    "--security-opt --group-add -m --memory --memory-swap --cpus --cpuset-cpus --cpuset-mems -l "
    "--label --log-driver --log-opt --restart --runtime --tmpfs --add-host --pid --platform --pull "
    "--cgroupns --sysctl --uts --userns --volumes-from --dns --expose --health-cmd --stop-timeout";
constexpr std::string_view kDockerExecOperands =
    "-e --env --env-file -w --workdir -u --user "
    "--detach-keys";

constexpr std::array<WrapperForm, 31> kForms = {{
    {"env", "-u --unset -C --chdir -S --split-string", "", 0, Where::kHere, ""},
    {"nohup", "", "", 0, Where::kHere, ""},
    {"setsid", "", "", 0, Where::kHere, ""},
    {"time", "-f --format -o --output", "", 0, Where::kHere, ""},
    {"nice", "-n --adjustment", "", 0, Where::kHere, ""},
    {"ionice", "-c --class -n --classdata -p", "", 0, Where::kHere, ""},
    {"chrt", "-T -P -D", "", 1, Where::kHere, ""},
    {"timeout", "-k --kill-after -s --signal", "", 1, Where::kHere, ""},
    {"stdbuf", "-i --input -o --output -e --error", "", 0, Where::kHere, ""},
    {"unbuffer", "", "", 0, Where::kHere, ""},
    {"numactl",
     "-i --interleave -p --preferred -m --membind -N --cpunodebind -C --physcpubind -P "
     "--preferred-many -w --weighted-interleave",
     "", 0, Where::kHere, ""},
    {"taskset", "", "", 1, Where::kHere, ""},
    {"sudo", "-u --user -g --group -C -D --chdir -h --host -p --prompt -R -T -U", "", 0,
     Where::kHere, ""},
    {"gosu", "", "", 1, Where::kHere, ""},
    {"flock", "-w --wait --timeout -E --conflict-exit-code", "", 1, Where::kHere, ""},
    {"mpirun", kMpiOperands, "-mca --mca -genv -env --gmca", 0, Where::kHere, "-x"},
    {"mpiexec", kMpiOperands, "-mca --mca -genv -env --gmca", 0, Where::kHere, "-x"},
    {"mpiexec.hydra", kMpiOperands, "-genv -env", 0, Where::kHere, ""},
    {"trtllm-llmapi-launch", "", "", 0, Where::kHere, ""},
    {"srun", kSrunOperands, "", 0, Where::kHere, ""},
    {"numa_bind", "", "", 0, Where::kHere, ""},
    {"strace", "-e -o -p -s -u", "", 0, Where::kHere, ""},
    {"catchsegv", "", "", 0, Where::kHere, ""},
    {"ssh", "-i -l -p -o -F -L -R -D -J -b -c -m -E", "", 1, Where::kContainer, ""},
    {"singularity exec", "-B --bind --env --env-file -H --home --pwd --overlay -W --workdir", "", 1,
     Where::kContainer, "--env"},
    {"apptainer exec", "-B --bind --env --env-file -H --home --pwd --overlay -W --workdir", "", 1,
     Where::kContainer, "--env"},
    {"docker exec", kDockerExecOperands, "", 1, Where::kContainer, "-e --env"},
    {"podman exec", kDockerExecOperands, "", 1, Where::kContainer, "-e --env"},
    {"docker run", kDockerRunOperands, "", 1, Where::kContainer, "-e --env"},
    {"podman run", kDockerRunOperands, "", 1, Where::kContainer, "-e --env"},
    {"kubectl exec", "-n --namespace -c --container --context", "", 1, Where::kContainer, ""},
}};

bool lists(std::string_view list, std::string_view option) {
  while (!list.empty()) {
    const auto blank = list.find(' ');
    if (list.substr(0, blank) == option) return true;
    list = blank == std::string_view::npos ? std::string_view() : list.substr(blank + 1);
  }
  return false;
}

bool is_assignment(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

// "NAME=value" with the origins of the value kept; "NAME" alone passes what is there.
void add_environment(WrappedCommand& out, const Value& word) {
  if (word.pieces().empty() || !word.pieces().front().known) return;
  const std::string& text = word.pieces().front().text.get();
  if (!is_assignment(text)) return;
  const auto equals = text.find('=');
  Value value = word;
  value.pieces().front().text.write().erase(0, equals + 1);
  if (value.pieces().front().text.empty()) value.pieces().erase(value.pieces().begin());
  out.environment.emplace_back(text.substr(0, equals), std::move(value));
}

std::string base_name(const Value& word) {
  const std::string text = word.text();
  const auto slash = text.rfind('/');
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

const WrapperForm* find_form(std::span<const Value> argv, std::size_t& first) {
  if (argv.empty() || !argv[0].is_known()) return nullptr;
  const std::string name = base_name(argv[0]);
  std::string two;
  if (argv.size() > 1 && argv[1].is_known()) two = name + " " + argv[1].text();
  for (const WrapperForm& form : kForms) {
    if (form.name != name && form.name != two) continue;
    first = form.name == two ? 2 : 1;
    return &form;
  }
  return nullptr;
}

/// Walks over the options of a wrapper.
class OptionWalk {
 public:
  OptionWalk(const WrapperForm& form, std::span<const Value> argv, WrappedCommand& out)
      : form_(form), argv_(argv), out_(out) {}

  /// The index of the first word that is no option, starting at `at`.
  std::size_t skip(std::size_t at) {
    while (at < argv_.size() && argv_[at].is_known()) {
      const std::string word = argv_[at].text();
      if (word == "--") return at + 1;
      if (form_.name == "env" && is_assignment(word)) {
        add_environment(out_, argv_[at++]);
        continue;
      }
      if (word.size() < 2 || word[0] != '-') return at;
      at = option(word, at);
    }
    return at;
  }

 private:
  std::size_t option(const std::string& word, std::size_t at) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (name == "--container-image") out_.where = Where::kContainer;
    if (lists(form_.with_two_operands, word)) return at + 3;
    if (lists(form_.with_operand, word)) {
      if (at + 1 < argv_.size()) note(word, argv_[at + 1]);
      return at + 2;
    }
    if (equals != std::string::npos && word.starts_with("--")) {
      Value operand = argv_[at];
      operand.pieces().front().text.write().erase(0, equals + 1);
      std::erase_if(operand.pieces(), [](const Piece& p) { return p.known && p.text.empty(); });
      note(name, operand);
    }
    return at + 1;
  }

  void note(const std::string& option, const Value& operand) {
    if (lists(form_.environment_options, option)) add_environment(out_, operand);
    if (option == "--entrypoint") out_.entrypoint = operand;
  }

  const WrapperForm& form_;
  std::span<const Value> argv_;
  WrappedCommand& out_;
};

}  // namespace

std::optional<WrappedCommand> unwrap(std::span<const Value> argv) {
  std::size_t at = 0;
  const WrapperForm* form = find_form(argv, at);
  if (form == nullptr) return std::nullopt;
  WrappedCommand out;
  out.where = form->where;
  OptionWalk walk(*form, argv, out);
  at = walk.skip(at);
  for (int i = 0; i < form->words_before && at < argv.size(); ++i) {
    if (form->name.ends_with(" run")) out.image = at;
    ++at;
  }
  // Options of docker run end at the image; elsewhere more can follow the extra word.
  if (form->words_before > 0 && !out.image) at = walk.skip(at);
  out.first = at;
  out.is_shell_text = form->name == "ssh";
  if (at >= argv.size() && !out.image) return std::nullopt;
  return out;
}

}  // namespace recipelint::shell
