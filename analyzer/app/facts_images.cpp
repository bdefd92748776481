#include "analyzer/app/facts_topics.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

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

bool print_image_facts(const facts::Catalog& facts, const std::string& name, std::ostream& out) {
  if (name.empty()) {
    print_publishers(facts.images(), out);
  } else {
    print_image(facts, name, out);
  }
  return true;
}

}  // namespace recipelint::app
