#pragma once

#include "analyzer/app/command_line.h"
#include "analyzer/app/options.h"
#include "analyzer/text/result.h"

namespace recipelint::app {

/// The commands; each gives the exit code.
int run_check(const CheckOptions& options, const Streams& streams);
int run_cells(const CellsOptions& options, const Streams& streams);
int run_argv(const ArgvOptions& options, const Streams& streams);
int run_memory(const MemoryOptions& options, const Streams& streams);
int run_explain(const ExplainOptions& options, const Streams& streams);
int run_rules(const RulesOptions& options, const Streams& streams);
int run_facts(const FactsOptions& options, const Streams& streams);
int run_completions(const CompletionsOptions& options, const Streams& streams);
int run_man(const ManOptions& options, const Streams& streams);

/// Says in one line what was wrong with the usage; gives kUsage.
int usage_failure(const text::Error& error, const Streams& streams);

}  // namespace recipelint::app
