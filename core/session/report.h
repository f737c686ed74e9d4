#pragma once

#include "report/render.h"
#include "report/step.h"
#include "session/session.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusescope {

// The whole story of one model in one file: what it holds, what each step did, what was blocked and
// why, and whether the result was proved. Two reports of one model, plan and inputs are equal but
// for their times.
enum class ReportFormat { html, markdown, json };

// By the ending of a file's name: .html, .htm, .md, .markdown, .json.
std::optional<ReportFormat> reportFormatOf(std::string_view path);

struct ReportNode
{
    NodeId id;
    std::string name, op, domain, shown; // shown: how sentences call it
    std::vector<std::string> outputs;
    std::string scope; // of a node in a body or a function
};

// A node, or else the name of a value.
struct ReportCulprit
{
    std::optional<ReportNode> node;
    std::string value, scope;
};

struct ReportReason
{
    std::string code, kind, headline, message, unblock, fix; // fix: "id@name", or empty
    std::vector<ReportCulprit> culprits;
    bool fixChangesMeaning = false, fixChangesInterface = false;
};

// What documents say of a node, of what a reason names and of a reason; nothing of a node that is not
// there.
std::optional<ReportNode> reportNode(const Graph& graph, NodeId id);
ReportCulprit reportCulprit(const Graph& graph, const Subject& subject);
ReportReason reportReason(const Graph& graph, const Reason& reason, const Translate& translate);

struct ReportStep
{
    int number = 0, round = 1;
    Stage stage = Stage::fusion;
    bool applied = true;
    std::string rule, ruleName, title;
    std::optional<ReportNode> root;
    std::size_t removed = 0, added = 0, changed = 0; // nodes
    Cost saves;
    std::vector<ReportReason> remarks;
};

struct ReportBlocked
{
    std::string rule, ruleName;
    std::optional<ReportNode> root;
    int finalAt = 0;
    std::vector<ReportReason> reasons;
};

struct ReportProblem
{
    std::string severity, message; // "note", "warning", "error"
};

struct ReportData
{
    ModelInfo info;
    ModelFigures before, after;
    std::vector<ReportProblem> problems;
    std::vector<ReportStep> steps;
    std::vector<std::pair<std::string, std::int64_t>> sizes; // at which the steps' costs are counted
    std::vector<ReportBlocked> blocked;
    Comparison verification;
    std::string why;              // of the verification, in words
    std::vector<std::string> whyOfOutputs; // of its outputs, as far as they have one
    std::vector<std::string> cut; // nodes without a kernel
    double optimizeMs = 0;
    std::vector<PlanProfile> plans; // of a bench, if there was one
};

// "pass", "partial", "fail", "not-run".
const char* textOf(VerificationStatus status);
// "note", "warning", "error".
const char* idOf(ModelProblem::Severity severity);

// Everything but the bench, from a finished timeline and its proof. Fails only when it is stopped.
Result<ReportData> gatherReport(const Session& session, const Timeline& timeline,
                                const Comparison& verification, const Translate& translate = {},
                                std::stop_token stop = {});

std::string reportText(const ReportData& data, ReportFormat format,
                       const Translate& translate = {});

// Written whole or not at all; an existing file only with `overwrite`, the source never.
Result<void> writeReport(const Session& session, const std::string& path, const std::string& text,
                         bool overwrite);

} // namespace fusescope
