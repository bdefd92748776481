// The real bash as judge: what it prints of its own parse tree has to be the same for a script and
// for what our syntax tree of the script prints as.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/parse.h"
#include "tests/support/bash.h"
#include "tests/support/script_printer.h"

namespace recipelint::shell {
namespace {

using recipelint::testing::bash_rendering;
using recipelint::testing::print_statements;
using recipelint::testing::print_word;
using recipelint::testing::run_bash;
using recipelint::testing::WordStyle;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

WordStyle comparable_style() {
  return recipelint::testing::bash_renders_substitutions() ? WordStyle::kAsWritten
                                                           : WordStyle::kBytes;
}

struct Snippet {
  std::string_view name;
  std::string_view text;
};

void PrintTo(const Snippet& snippet, std::ostream* out) {
  *out << snippet.text;
}

class StatementOracle : public ::testing::TestWithParam<Snippet> {};

TEST_P(StatementOracle, AgreesWithBash) {
  const std::string text(GetParam().text);
  const text::SourceFile file("snippet.sh", text);
  const auto script = parse_script(file);
  EXPECT_THAT(script->problems, IsEmpty());
  const std::string expected = bash_rendering(text);
  ASSERT_THAT(expected, Not(HasSubstr("syntax error"))) << "the test itself is wrong";
  EXPECT_EQ(bash_rendering(print_statements(script->body, comparable_style())), expected);
}

const std::vector<Snippet> kStatements{
    // Words after a redirection.
    {"WordsAfterRedirections", "vllm serve m > log 2>&1 --port 8000"},
    {"WordsAfterLeadingRedirection", "grep 2>/dev/null -q p f"},
    {"RedirectionFirst", "> log vllm serve m"},
    {"OnlyRedirections", "> log 2>&1"},
    // Redirections.
    {"ReadWrite", "exec 3<>file; exec 9<> /dev/tcp/localhost/80; until (exec 3<>f) do a; done"},
    {"AllOperators",
     "a <b >c >>d 2>e 2>>f &>g &>>h >|i <&3 >&4 2>&1 <&- 3>&- 5<>j <<<k 2>&$fd >&l 3>&4-"},
    {"DescriptorVariable", "exec {fd}>log {in}<file {fd}>&-"},
    {"OnCompounds",
     "{ a; } >b; (a) <c; if a; then b; fi >c; while a; do b; done <d >e; for x in a; do b; "
     "done >c; case a in b) c;; esac >d; [[ a ]] >b; (( 1 )) 2>c; f() { a; } >b"},
    {"DigitsAreNoDescriptor", "echo 12 >a b3>c"},
    // Here-documents.
    {"HereDocument", "cat <<EOF\n$a `b` $(c  d) \\$e\nEOF"},
    {"HereDocumentThenSeparator", "cat <<EOF; a\nbody\nEOF\nb"},
    {"HereDocumentThenPipe", "cat <<EOF 2>&1 | tee log &\nbody\nEOF\nb"},
    {"HereDocumentThenAnd", "cat <<EOF && a || b\nbody\nEOF\nc"},
    {"HereDocumentFirst", "<<EOF cat -n\nbody\nEOF"},
    {"TwoHereDocuments", "cat <<A - <<'B'\none\nA\n$two\nB"},
    {"HereDocumentInSubstitution", "x=$(cat <<EOF\n) \" '\nEOF\n); a"},
    {"HereDocumentInLoop", "while read x; do a; done <<EOF\nb\nEOF\nc"},
    {"HereDocumentBeforeDo", "for x in $y; do cat <<E\n$x\nE\ndone"},
    {"HereDocumentInFunction", "f() {\n  cat <<EOF > $x\nhi\nEOF\n  return\n}"},
    {"HereString", "cat <<<\"a $b\" - <<< c; read x <<<$(d  e) y"},
    // Lists and pipelines.
    {"AndOr", "a && b || c && d; a || b | c && d"},
    {"Pipelines", "a | b |& c | d; ! a | b; time a | b; time ! a; ! time a"},
    {"Background", "a & b && c & d | e &\nf"},
    {"LineBreaksInLists", "a &&\n\n# why\n b ||\n c |\n d"},
    {"Continuation", "a \\\n  --b \\\n  --c\n d\\\ne"},
    {"CommentAfterContinuation", "a \\\n# --b \\\n  --c"},
    {"Comments", "a # b ; c\n#d\ne#f '#g' \"#h\" \\#i"},
    // Compound commands.
    {"If", "if a; then b; elif c; d; then e; else f; fi; if ! a; then b; fi"},
    {"While", "while a; b; do c; done; until a\ndo b\ndone"},
    {"For",
     "for x in a \"$b\" c*; do d; done; for x; do a; done; for x\ndo a; done; for x in; do "
     "a; done; for x in a\ndo b; done"},
    {"ForWithBraces", "for x in a; { b; }; for ((;;)) { c; }"},
    {"ArithmeticFor",
     "for ((i=0; i<n; i++)); do a; done; for ((;;)); do b; done; for (( i = (1), j = 2 ; j ; )) "
     "do c; done"},
    {"Select", "select x in a b; do c; done; select y; do d; done"},
    {"Case",
     "case $x in a) b;; c|d) e; f;; (g) h;& (i|j) k;;& *) ;; esac"
     "\ncase x in\n  a) b ;;\n  # c\n  'd e') f\nesac; case x in esac"},
    {"CaseInSubstitution", "x=$(case $y in a) b;; (c) d;; esac)"},
    {"CompoundsInConditions",
     "while case $x in a) b;; esac do c; done; if (a) then b; fi; if { a; } then b; fi; if [[ a "
     "]] then b; fi; if ((1)) then b; fi; while (a)do b; done"},
    {"Groups", "{ a; b; }; (a; b); ( (a); (b) ); ((a); (b)); { (a) }; ( { a; } )"},
    {"ArithmeticCommand", "((i++)); (( a > b && (c || d) )) && e; if ((x)); then y; fi"},
    {"Functions",
     "f() { a; }; g () ( b ); function h { c; }; function i() { d; }\nj()\n{\n  e\n}\n"
     "my-func.x() { f; }; k() if a; then b; fi; l() for x in a; do b; done; m() [[ a ]]; n() "
     "((1))"},
    {"NestedFunctions", "f() { g() { a; }; g | b; }; f() { ! a; } && b"},
    {"Coprocess", "coproc a b; coproc X { a; }; coproc { a; }; coproc while a; do b; done"},
    {"ReservedWordsAsArguments", "echo if then fi { } ! do done case esac [[ in; a=if; x if"},
    // Conditionals.
    {"Conditional",
     "[[ a == b* && ! -f $c || ( -n d && e -lt 3 ) ]]; [[ $a ]]; [[ -z $a\n && -n b\n ]]; [[ a < b "
     "]]; [[ ! ( a ) ]]"},
    {"Regex",
     "[[ $x =~ (a|b)[[:space:]]+\"c d\" ]]; [[ $x =~ ^[0-9]+$ && a ]]; [[ $x =~ (a b|c) ]]; [[ x "
     "=~ $re ]]; [[ $x =~ ^(\"$a\"|b\\ c)$ ]]"},
    {"ExtendedPattern", "[[ $x == @(a|b c)* ]]; [[ $x == !(a|+(b)) ]]"},
    {"TestCommand", "[ 2 -lt 3 ]\necho >1\n[ a ]; [ \\( a -o b \\) -a \"$c\" = d ]; [ -n \"$x\" ]"},
    // Assignments and arrays.
    {"Assignments", "a=1 b= c+=x d=$e f=\"g h\" i; a=b; a[1]=c; a[x + 1]+=d; a[\"k l\"]=m"},
    {"Arrays",
     "a=(); a=(b \"c d\" $e); a+=(f); a=(\n  --x y # comment\n  --z\n); a=([k]=v [l m]=w [n]+=o "
     "p)"},
    {"Declarations",
     "declare -A m=([a]=1 [\"b c\"]=2); export A=(1 2) B=c D; local x=$y z=\"$(a  b)\"; readonly "
     "R=1; typeset -i i=1+2; command export A=b"},
    {"AssignmentLikeArguments", "env A=1 b; echo a=b c[1]=d; test a=b; dd if=/dev/null"},
    {"GlobsLookLikeSubscripts", "ls a[0-9] b[!c]*; a[0-9]"},
    // Words.
    {"Substitutions", "a=$(b  c; d) \"$(e \"$(f  g)\")\" `h` <(i  j) >(k  l) $(<file)"},
    {"ArithmeticOrSubshell", "x=$(( (1 + 2) * 3 )); y=$( (a; b) ); z=$[1 + 2]"},
    {"ArithmeticInDefault", "x=${a:-$(( b * 3 / 2 > 8 ? 1 : 2 ))}\ncat <<E\n$(( 1 > 2 ))\nE"},
    {"DefaultWithDash", "x=${X:-foo-bar} y=\"$x}/w\" z=${X:+\"a b\" c}"},
    {"JsonDefault", "a \"${X:-{\\\"k\\\":1}}\" '{\"m\":2}' \"{\\\"n\\\": $o}\""},
    {"QuotesInSubstitutionInQuotes", "a \"$(b 'c)' \"d)\" e)\" \"`f \\\"g\\\"`\""},
    {"CommentInSubstitution", "a=$(\n  b # it's )\n  c\n)"},
    {"Locale", "a $\"b $c\" $'d\\'e\\n' $ \"$\" '$'"},
    {"BraceWords", "a {b,c} {1..3} {} x{ }y"},
};

INSTANTIATE_TEST_SUITE_P(Snippets, StatementOracle, ::testing::ValuesIn(kStatements),
                         [](const auto& snippet) { return std::string(snippet.param.name); });

/// What a word expands to, with every variable of the tests unset and then with all of them set.
std::string expansions_of(std::string_view word) {
  const std::string print = "printf '<%s>' " + std::string(word) + "; echo\n";
  return run_bash("set -- one 'two  2'\ndeclare -A m\n( " + print +
                  ")\n"
                  "x='a  b/c.d}' X='$HOME \"q\"' n=7 p='a*' a=(u 'v  w' x) r=x\n"
                  "m=([k]=1 ['k l']=2)\n" +
                  print);
}

class WordOracle : public ::testing::TestWithParam<std::string_view> {};

TEST_P(WordOracle, ExpandsToTheSame) {
  const std::string word(GetParam());
  const text::SourceFile file("word.sh", ": " + word);
  const auto script = parse_script(file);
  ASSERT_THAT(script->problems, IsEmpty());
  const auto& command = std::get<SimpleCommand>(script->body.at(0).command);
  std::string printed;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    printed += print_word(std::get<Word>(command.words[i]), WordStyle::kFromParts) + " ";
  }
  const std::string expected = expansions_of(word);
  ASSERT_THAT(expected, HasSubstr("<"));
  EXPECT_EQ(expansions_of(printed), expected) << "printed as " << printed;
}

constexpr std::string_view kWords[] = {
    // Quotes.
    R"w(a'b  c'd"e  f"g\ h\"i\\j)w",
    R"w('' "" a'' $x"")w",
    R"w("\$x \a \" \\ \`" '\a')w",
    R"w($'a\tb\'c\x41\101\u00e9\e[0m\cA\z\0d' "$'x'")w",
    "a\\\nb \"c\\\nd\" 'e\\\nf'",
    R"w($"loc $x")w",
    R"w($ "$" a$ $% "$%")w",
    "\"a\nb\" 'c\n\td'",
    // Parameters.
    R"w($x "$x" ${x} "${x}" $1 "$2" ${2} $10 ${10} $# ${#} $? $@ "$@" $* "$*")w",
    R"w(${#x} ${#} ${#@} ${#a[@]} ${#a[1]} ${##} ${#-} ${#?})w",
    R"w(${x:-d  e} "${x:-d  e}" ${x-} ${x:+"a b" c} "${x:+"a b" c}" ${x+y})w",
    R"w("${x:-'q'}" ${x:-'q r'} "${x:-$'t\tu'}" "${x:-"v  w"}" ${x:-$'s\nt'})w",
    R"w("${X:-{\"k\":1}}" ${X:-{\"k\":1\}} "${X:-a\}b\$c\z}" ${X:-foo-bar})w",
    R"w(${x:-${y:-${z:-deep  "in  side"}}} "${x:-"${y:-'a'}"}")w",
    R"w(${x#a} "${x#*b}" ${x##*/} "${x%"b"*}" ${x%%'/'*} "${x%}*}" "${x%\}}")w",
    R"w(${x/a/z} "${x//[ab]/"q  r"}" ${x/#a/'s'} ${x/%d\}/t} ${x//\//-} ${x////-} ${x/b})w",
    R"w("${x/ /\ }" "${x//./$n}" ${x//"b"/${n}})w",
    R"w(${x^} ${x^^} ${x^^[ab]} ${x,} ${x,,} "${x@Q}" ${a[@]@Q} ${x@U})w",
    R"w(${x:1} "${x:1:2}" ${x: -2} ${x:(-2):1} ${x:n-6:n>6?2:1} ${x:$((n-7))} "${a[@]:1:1}")w",
    R"w(${a[1]} "${a[@]}" ${a[*]} "${a[*]}" ${a[n+0]} ${a[${n}+0]} ${!a[@]} ${a[@]#u})w",
    R"w(${a[@]+"${a[@]}"} "${a[@]:-none}" ${m[k]} "${m["k l"]}" ${m['k l']})w",
    R"w(${!r} "${!r:-x}" ${!r%b*} ${!n@} "${!n*}" ${!#} ${!1:-z})w",
    // Arithmetic.
    R"w($((n+1)) "$(( (n + 2) * "3" ))" $[n*2] $((x=5,x)) $(( n > 3 ? n : `echo 4` )))w",
    R"w(${x:-$(( 3 * 3 / 2 > 4 ? 1 : 2 ))} "${y:-$((1))}")w",
    // Commands.
    R"w($(echo "a  b" ')') "$(echo "c  d")" `echo e  f` "`echo \"g  h\" \\$x`")w",
    R"w(`echo \`echo i\` \\\\` $(echo $(echo "$(echo j)")) "$(printf '%s' ")")")w",
    R"w($(case a in a) echo k;; esac) $( (echo l) ) $((echo m); (echo n)) "$(echo o # p)
)")w",
    // Patterns, braces and tildes stay as they are.
    R"w(a{b,c}d {1..3} "{b,c}" \{b,c} ~ "~" /[u]sr '/[u]sr' [a-z] *nothing*)w",
};

INSTANTIATE_TEST_SUITE_P(Words, WordOracle, ::testing::ValuesIn(kWords));

}  // namespace
}  // namespace recipelint::shell
