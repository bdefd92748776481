#include <fmt/format.h>

#include <ostream>
#include <string>

#include "analyzer/app/commands.h"
#include "analyzer/facts/catalog.h"

namespace recipelint::app {
namespace {

void print_form(const facts::TagForm& form, std::ostream& out) {
  out << fmt::format("  {:<44} {}\n", form.tag.text(), facts::to_string(form.tag_class));
  if (!form.why.empty()) out << fmt::format("    moves: {}\n", form.why);
  if (form.retention) {
    out << fmt::format("    expires: {} ({})\n", form.retention->rule,
                       to_string(form.retention->evidence));
  }
  out << fmt::format("    source: {}\n", to_string(form.evidence));
}

void print_publishers(const facts::ImageFacts& images, std::ostream& out) {
  for (const facts::Publisher& publisher : images.publishers()) {
    out << fmt::format("{} ({})\n", publisher.repository.text(), publisher.name);
    if (!publisher.release_form.empty()) {
      out << fmt::format("  releases: {}\n", publisher.release_form);
    }
    out << fmt::format("  source: {}\n", to_string(publisher.evidence));
    for (const facts::TagForm& form : publisher.forms) print_form(form, out);
    out << '\n';
  }
  out << "any other repository, and tags that no form of their publisher matches\n";
  for (const facts::TagForm& form : images.general_forms()) print_form(form, out);
}

void print_image(const facts::Catalog& facts, const std::string& reference, std::ostream& out) {
  const facts::ImageClass image = facts.images().classify(reference);
  out << fmt::format("{}\n  class: {}\n", reference, facts::to_string(image.tag_class));
  if (image.publisher != nullptr) {
    out << fmt::format("  publisher: {} ({})\n", image.publisher->name,
                       to_string(image.publisher->evidence));
  }
  if (!image.version.empty()) out << fmt::format("  engine version: {}\n", image.version);
  const facts::BuildDate built = facts.builds().build_date(image);
  out << fmt::format("  built {}", to_string(built));
  if (built.known()) out << fmt::format(" ({})", built.basis);
  out << '\n';
  if (!built.source.empty()) out << fmt::format("  source of the day: {}\n", built.source);
  if (image.form != nullptr) {
    out << "  form of the tag:\n";
    print_form(*image.form, out);
  }
}

}  // namespace

int run_facts(const FactsOptions& options, const Streams& streams) {
  if (options.topic.empty()) {
    streams.out << "images   who publishes container images, and what becomes of their tags\n";
    return kClean;
  }
  if (options.topic != "images") {
    return usage_failure(
        {fmt::format("there are no facts about '{}'; topics: images", options.topic), {}}, streams);
  }
  const facts::Catalog facts;
  if (options.name.empty()) {
    print_publishers(facts.images(), streams.out);
  } else {
    print_image(facts, options.name, streams.out);
  }
  return kClean;
}

}  // namespace recipelint::app
