#include "oracle/judgement_json.h"

#include <nlohmann/json.hpp>

namespace reprise {

using nlohmann::json;

std::string ToJson(const Judgement& j) {
  json steps = json::array();
  for (const StepReport& s : j.steps) {
    steps.push_back({{"step", s.step},
                     {"judged", s.judged},
                     {"event", s.signals.event},
                     {"graph_breaks", s.signals.graph_breaks},
                     {"S", s.s},
                     {"R", s.r}});
  }
  const json object = {
      {"verdict", Name(j.verdict)},
      {"oracle", Name(j.level)},
      {"step", j.step},
      {"difference",
       {{"section", j.difference.section},
        {"path", j.difference.path},
        {"attribute", j.difference.attribute},
        {"text", j.difference.text}}},
      {"exception", j.exception},
      {"frames", j.frames},
      {"documented", j.documented},
      {"shortcuts", j.shortcuts},
      {"cure", j.cure},
      {"aligned", j.aligned},
      {"legal_steps", j.legal_steps},
      {"illegal", j.illegal},
      {"steps", steps},
  };
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Judgement> FromJson(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Judgement j;
  try {
    const auto verdict = ParseVerdict(object.at("verdict").get<std::string>());
    if (!verdict) return std::nullopt;
    j.verdict = *verdict;
    j.level = ParseLevel(object.at("oracle").get<std::string>()).value_or(j.level);
    j.step = object.at("step");
    const json& difference = object.at("difference");
    j.difference = {difference.at("section"), difference.at("path"), difference.at("attribute"),
                    difference.at("text")};
    j.exception = object.at("exception");
    j.frames = object.at("frames").get<std::vector<std::string>>();
    j.documented = object.at("documented");
    j.shortcuts = object.at("shortcuts").get<std::vector<std::string>>();
    j.cure = object.at("cure");
    j.aligned = object.at("aligned");
    j.legal_steps = object.at("legal_steps");
    j.illegal = object.at("illegal");
    for (const json& s : object.at("steps")) {
      StepReport report{s.at("step"), s.at("judged")};
      report.signals.event = s.at("event");
      report.signals.graph_breaks = s.at("graph_breaks");
      report.s = s.at("S");
      report.r = s.at("R");
      j.steps.push_back(report);
    }
  } catch (const json::exception&) {
    return std::nullopt;
  }
  return j;
}

}  // namespace reprise
