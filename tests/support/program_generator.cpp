#include "tests/support/program_generator.h"

#include <utility>

namespace recipelint::testing {

std::string ProgramGenerator::scalar_name() {
  return pick("a", "b", "c", "E_A", "E_B");
}

std::string ProgramGenerator::array_name() {
  return pick("A", "B");
}

std::string ProgramGenerator::text() {
  return pick("''", "x", "12", "'two words'", "' lead'", "a:b:c", "x/y.z", "007", "'*'", "\"it's\"",
              "$'t\\tn'", "-n", "'a  b'", "k-v", "{1,2}", "'\\'", "0", "Foo", "a=b");
}

std::string ProgramGenerator::pattern() {
  return pick("x", "*", "?", "a*", "*b", "[a-c]*", "'*'", "*.z", "[0-9]*", "*/", "' '*", "*:*",
              "[!x]", "t?o*");
}

std::string ProgramGenerator::arithmetic(int depth) {
  if (depth <= 0) return pick("1", "2", "n", "m", "0", "7", "010", "0x1f", "n", "${#a}", "$n");
  const std::string left = arithmetic(depth - 1);
  const std::string right = arithmetic(depth - 1);
  switch (below(6)) {
    case 0:
      return left + pick(" + ", " - ", " * ", " / ", " % ") + right;
    case 1:
      return left + pick(" < ", " >= ", " == ", " != ", " && ", " || ") + right;
    case 2:
      return "(" + left + " > " + right + " ? " + left + " : " + right + ")";
    case 3:
      return left + pick(" << 1", " & 3", " | 4", " ^ 1", " ** 2");
    case 4:
      return "(" + pick("n++", "++m", "n += 2", "m = n * 2", "-n", "!m") + ", " + right + ")";
    default:
      return left;
  }
}

std::string ProgramGenerator::parameter(int depth) {
  const std::string name = scalar_name();
  switch (below(18)) {
    case 0:
      return "${" + name + pick(":-", "-", ":=", "=", ":+", "+") +
             (depth > 0 ? pick("$b", "d e", "x*", "${c:-z}", "$(echo q)", "\"$a b\"") : "d") + "}";
    case 1:
      return "${" + name + pick("#", "##", "%", "%%") + pattern() + "}";
    case 2:
      return "${" + name + pick("/", "//", "/#", "/%") + pick("x", "[a-c]", "' '", "b*") + "/" +
             pick("", "Z", "\"$b\"", "a b") + "}";
    case 3:
      return "${" + name + pick("^", "^^", ",", ",,") + "}";
    case 4:
      return "${" + name + ":" + pick("0", "1", " -2", "n") + pick("", ":1", ":2", ":n") + "}";
    case 5:
      return "${#" + name + "}";
    case 6:
      return "${" + array_name() + "[" + pick("@", "*", "0", "1", "n", "-1") + "]}";
    case 7:
      return "${#" + array_name() + "[" + pick("@", "*", "0") + "]}";
    case 8:
      return "${" + array_name() + "[@]:" + pick("0", "1") + pick("", ":1", ":2") + "}";
    case 9:
      return "${!" + array_name() + "[@]}";
    case 10:
      return pick("$@", "$*", "$#", "$1", "${2:-none}", "$?");
    case 11:
      return "${!p}";
    case 12:
      return "${" + array_name() + "[@]" + pick("%x", "/a/b", "^", "#*:", "+x y") + "}";
    case 13:
      return "${" + name + "@Q}";
    case 14:
      return "${M[" + pick("k", "x", "$a", "two words") + "]" + pick("", ":-none") + "}";
    default:
      return "$" + name;
  }
}

std::string ProgramGenerator::quoted_parameter(int depth) {
  return "\"" + pick("", "pre ", "x") + parameter(depth) + pick("", " post", "$a") + "\"";
}

std::string ProgramGenerator::substitution(int depth) {
  const std::string inner = depth > 0 ? word(depth - 1) : text();
  switch (below(9)) {
    case 0:
      return "$(echo " + inner + ")";
    case 1:
      return "$(printf " + pick("'%s,'", "'%s\\n'", "'<%5s>'", "'%q '") + " " + inner + " " +
             text() + ")";
    case 2:
      return "$(printf '%s\\n' " + inner + " b a | sort" + pick("", " -u", " -r") + ")";
    case 3:
      return "$(seq " + pick("3", "2 4", "-s, 1 3") + ")";
    case 4:
      return (in_function_ ? "$(echo " : "$(f ") + inner + ")";
    case 5:
      return "$(echo " + inner + " | tr a-z A-Z)";
    case 6:
      return "$(if " + condition(depth - 1) + "; then echo yes; else echo no; fi)";
    case 7:
      return "`echo " + text() + "`";
    default:
      return "$((" + arithmetic(2) + "))";
  }
}

std::string ProgramGenerator::word(int depth) {
  switch (below(8)) {
    case 0:
    case 1:
      return text();
    case 2:
      return parameter(depth);
    case 3:
    case 4:
      return quoted_parameter(depth);
    case 5:
      return depth > 0 ? substitution(depth) : text();
    case 6:
      return depth > 0 ? "\"" + substitution(depth) + "\"" : text();
    default:
      return pick("pre", "{a,b}", "x{1..3}", "--k=") + text();
  }
}

std::string ProgramGenerator::condition(int depth) {
  const std::string value = quoted_parameter(0);
  switch (below(9)) {
    case 0:
      return "[ " + value + " " + pick("=", "!=") + " " + pick("x", "12", "''", "\"$b\"") + " ]";
    case 1:
      return "[[ " + parameter(0) + " " + pick("==", "!=") + " " + pattern() + " ]]";
    case 2:
      return "[ " + pick("-n", "-z") + " " + value + " ]";
    case 3:
      return "(( " + arithmetic(1) + " ))";
    case 4:
      return "[[ " + value + " =~ " + pick("^[0-9]+$", "(a|x)(.*)", "^'t'", "o+") + " ]]";
    case 5:
      return "[ \"$n\" " + pick("-gt", "-le", "-eq") + " " + pick("1", "3", "\"$m\"") + " ]";
    case 6:
      return "! " + (depth > 0 ? condition(depth - 1) : "true");
    case 7:
      return pick("[[ -v a ]]", "[[ -n $a && -n $b ]]", "[ -n \"$a\" -o -n \"$b\" ]",
                  in_function_ ? "true" : "f >/dev/null");
    default:
      return pick("true", "false");
  }
}

std::string ProgramGenerator::assignment() {
  switch (below(11)) {
    case 0:
      return array_name() + "=(" + word(1) + " " + word(1) + " " + text() + ")";
    case 1:
      return array_name() + "+=(" + word(1) + ")";
    case 2:
      return array_name() + "[" + pick("0", "2", "n", "1") + "]=" + word(1);
    case 3:
      return scalar_name() + "+=" + word(1);
    case 4:
      return pick("n", "m") + "=$((" + arithmetic(2) + "))";
    case 5:
      return "export " + pick("E_A", "E_B") + "=" + word(1);
    case 6:
      return "M[" + pick("k", "x", "\"two words\"") + "]=" + word(1);
    case 7:
      return pick("unset a", "unset B", "unset 'A[1]'", "unset M", "unset E_B",
                  "IFS=:", "IFS=$' \\t\\n'", "IFS=,", "p=b", "p='A[1]'", "shopt -s extglob",
                  "declare -i n=4+1", "M=([k]=1 [x]='2 3')");
    default:
      return scalar_name() + "=" + word(2);
  }
}

std::string ProgramGenerator::call() {
  return pick("", "", "E_C=" + text() + " ") + pick("vllm", "vllm", "engine", "server") +
         " serve " + word(2) + " " + word(1) +
         pick("", " --flag \"$a\"", " '{\"k\":1}'", " ${A[@]+\"${A[@]}\"}", " \"$@\"");
}

std::string ProgramGenerator::body(int depth) {
  std::string out;
  for (std::uint32_t i = 0; i <= below(2); ++i) out += statement(depth - 1) + "; ";
  return out;
}

std::string ProgramGenerator::compound(int depth) {
  switch (below(12)) {
    case 0:
      return "if " + condition(1) + "; then " + body(depth) + "else " + body(depth) + "fi";
    case 1:
      return "for a in " + word(1) + " " + word(1) + "; do " + body(depth) + "done";
    case 2:
      return "for ((i = 0; i < 3; i++)); do " + body(depth) + "if ((n > 9)); then break; fi; done";
    case 3:
      return "case " + parameter(0) + " in " + pattern() + ") " + body(depth) +
             pick(";;", ";&", ";;&") + " *) " + body(depth) + ";; esac";
    case 4:
      return function();
    case 5:
      return (in_function_ ? "echo " : "f ") + word(1) + pick("", " > /dev/null", " > out") +
             pick("", " && c=ok", " || c=bad");
    case 6:
      return "( " + body(depth) + ")";
    case 7:
      return "{ " + body(depth) + "} " + pick("", "> out", "2> /dev/null");
    case 8:
      return "j=0; while ((j < " + pick("2", "3") + ")); do j=$((j + 1)); " +
             pick("", "((j == 1)) && continue; ") + statement(0) + "; done";
    case 9:
      return "printf '%s\\n' " + word(1) + " " + word(1) + " | while read -r a " + pick("", "b ") +
             "; do vllm line \"$a\" \"$b\"; done";
    case 10:
      return "read " + pick("-r ", "") + pick("a", "a b", "-a A") + " <<< " + word(1);
    default:
      return "cat > out <<EOF\n" + parameter(0) + " $((" + arithmetic(1) +
             "))\nEOF\nmapfile -t A < out";
  }
}

std::string ProgramGenerator::function() {
  const bool outer = std::exchange(in_function_, true);
  std::string out = "f() { local a=" + word(1) + "; ";
  out += body(0) + "echo \"$a $1\"; return " + pick("0", "1", "3") + "; }";
  in_function_ = outer;
  return out;
}

std::string ProgramGenerator::statement(int depth) {
  if (depth > 0 && below(3) == 0) return compound(depth);
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      return assignment();
    case 3:
      return pick("set -- " + word(1) + " " + word(1), "shift", "eval 'a=\"$b\"'",
                  "printf -v a '%s-%s' x " + word(0), "let n=n+1", "set -f", "set +f", "true",
                  "c=$(cat out)", "echo " + word(1) + " >> out");
    default:
      return call();
  }
}

std::vector<std::string> ProgramGenerator::blocks() {
  std::vector<std::string> out = {"n=1 m=2 a=x b='two words' p=a", "declare -A M",
                                  "A=(one 'two three' 3)", "f() { echo \"f:$1\"; }"};
  if (below(4) == 0) out.push_back("set -" + pick("e", "u", "eu") + pick("", "; set -o pipefail"));
  const std::uint32_t count = 4 + below(8);
  for (std::uint32_t i = 0; i < count; ++i) out.push_back(statement(2));
  out.push_back(call());
  return out;
}

}  // namespace recipelint::testing
