#include "ui/actions.h"

#include "ui/text.h"
#include "ui/theme/icons.h"

#include <QActionGroup>
#include <QWidget>

namespace fusescope {

#define ROW(act, text, icon, keys, scope) \
    {Act::act, QT_TRANSLATE_NOOP("Actions", text), icon, keys, KeyScope::scope, false, ""}
#define CHECK(act, text, icon, keys, scope, group) \
    {Act::act, QT_TRANSLATE_NOOP("Actions", text), icon, keys, KeyScope::scope, true, group}

const std::vector<ActionRow>& actionRows()
{
    static const std::vector<ActionRow> rows = {
        ROW(open, "&Open…", "open", "Ctrl+O", window),
        ROW(reload, "&Reload", "reload", "F5", window),
        ROW(exportModel, "&Export Optimized Model…", "export", "Ctrl+E", window),
        ROW(exportPicture, "Export &Picture…", "", "Ctrl+Shift+E", window),
        ROW(exportReport, "Export Repor&t…", "", "", window),
        ROW(exportValues, "Export &Inputs and Outputs…", "", "", window),
        ROW(properties, "Proper&ties", "info", "Ctrl+Return", window),
        ROW(closeModel, "&Close", "close", "Ctrl+W", window),
        ROW(quit, "&Quit", "", "Ctrl+Q", window),
        ROW(undo, "&Undo", "undo", "Ctrl+Z", window),
        ROW(redo, "&Redo", "redo", "Ctrl+Shift+Z", window),
        ROW(copyName, "&Copy Name", "copy", "Ctrl+C", graphAndSteps),
        ROW(copyText, "Copy as &Text", "", "Ctrl+Shift+C", graphAndSteps),
        ROW(find, "&Find…", "find", "Ctrl+F", window),
        ROW(findNext, "Find &Next", "", "F3", window),
        ROW(findPrevious, "Find &Previous", "", "Shift+F3", window),
        ROW(selectAllOfType, "Select &All of This Operator", "", "", window),
        ROW(settings, "&Settings…", "settings", "Ctrl+,", window),
        CHECK(before, "&Before", "", "1", graph, "mode"),
        CHECK(after, "&After", "", "2", graph, "mode"),
        CHECK(overlay, "&Overlay", "", "3", graph, "mode"),
        CHECK(split, "&Split", "split", "4", graph, "mode"),
        CHECK(moveTogether, "Views &Move Together", "sync", "", window, ""),
        ROW(zoomIn, "Zoom &In", "zoom-in", "Ctrl++; Ctrl+=", window),
        ROW(zoomOut, "Zoom &Out", "zoom-out", "Ctrl+-", window),
        ROW(actualSize, "Actual Si&ze", "", "Shift+Backspace", graph),
        ROW(fit, "&Fit", "fit", "Space; Ctrl+0", graph),
        ROW(fitSelection, "Fit S&election", "fit-selection", "F", graph),
        CHECK(attributes, "Attrib&utes", "", "Ctrl+D", window, ""),
        CHECK(weights, "&Weights", "", "Ctrl+I", window, ""),
        CHECK(names, "&Names", "", "Ctrl+U", window, ""),
        CHECK(leftToRight, "&Left to Right", "direction", "Ctrl+K", window, ""),
        ROW(expand, "E&xpand", "expand", "+", graph),
        ROW(collapse, "&Collapse", "collapse", "-", graph),
        ROW(expandAll, "Expand All", "", "", window),
        ROW(collapseAll, "Collapse All", "", "", window),
        ROW(leaveBody, "Lea&ve Body", "", "Backspace; Alt+Up", graph),
        CHECK(arrangeAlone, "Arrange This Step Alone", "", "", window, ""),
        CHECK(trace, "&Trace", "trace", "T", graph, ""),
        CHECK(fullScreen, "F&ull Screen", "", "F11", window, ""),
        ROW(first, "&First", "first", "Ctrl+Home", window),
        ROW(back, "&Back", "back", "Ctrl+Left", window),
        ROW(forward, "F&orward", "forward", "Ctrl+Right", window),
        ROW(last, "&Last", "last", "Ctrl+End", window),
        ROW(runPass, "Run &Pass", "run-pass", "Ctrl+Shift+P", window),
        ROW(runAll, "Run &All", "run-all", "Ctrl+R", window),
        ROW(skip, "&Skip This Rewrite", "skip", "S", graphAndSteps),
        ROW(growRange, "&Grow Range", "", "Ctrl+Shift+Left", window),
        ROW(shrinkRange, "S&hrink Range", "", "Ctrl+Shift+Right", window),
        ROW(nextChange, "&Next Change", "", "J", graph),
        ROW(previousChange, "Pre&vious Change", "", "K", graph),
        CHECK(predict, "Pre&dict", "predict", "", window, ""),
        ROW(passes, "Passes…", "", "", window),
        ROW(compare, "&Run && Compare", "run", "F9", window),
        ROW(divergence, "&Find First Divergence", "bisect", "Shift+F9", window),
        ROW(profile, "&Profile", "profile", "Ctrl+F9", window),
        ROW(cancel, "&Cancel", "stop", "", window),
        ROW(inputs, "&Inputs…", "", "Ctrl+Shift+I", window),
        ROW(dimensions, "&Dimensions…", "", "", window),
        ROW(tolerance, "&Tolerance…", "", "", window),
        ROW(why, "&Why Not Fused?", "why", "W", graphAndSteps),
        ROW(applyFix, "Apply &Fix", "wrench", "Alt+Return", window),
        ROW(applySafeFixes, "Apply All &Safe Fixes", "", "", window),
        ROW(scratch, "&Try in a Scratch Copy", "scratch", "", window),
        CHECK(pin, "&Pin Node", "pin", "P", graphAndSteps, ""),
        ROW(markPure, "&Mark Operator as Pure…", "", "", window),
        ROW(history, "&History of Node", "history", "H", graphAndSteps),
        ROW(showInputs, "Show &Inputs", "", "I", graph),
        ROW(showOutputs, "Show &Outputs", "", "O", graph),
        ROW(resetLayout, "&Reset Layout", "", "", window),
        ROW(newWindow, "&New Window", "", "Ctrl+N", window),
        ROW(shortcuts, "&Shortcuts", "", "F1", window),
        ROW(examples, "&Examples", "", "", window),
        ROW(tour, "Guided &Tour", "tour", "", window),
        ROW(reasons, "Fusions and &Reasons", "", "", window),
        ROW(reportProblem, "Report a &Problem", "", "", window),
        ROW(about, "&About Fusescope", "", "", window),
        ROW(placeBack, "Previous Place", "", "Alt+Left", window),
        ROW(placeForward, "Next Place", "", "Alt+Right", window),
    };
    return rows;
}

#undef ROW
#undef CHECK

Actions::Actions(QObject* parent) : QObject(parent)
{
    std::map<QString, QActionGroup*> groups;
    for (const ActionRow& row : actionRows()) {
        auto* action = new QAction(this);
        action->setCheckable(row.checkable);
        if (*row.icon)
            action->setIcon(icon(QString::fromLatin1(row.icon)));
        QList<QKeySequence> keys;
        for (const QString& key : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
            keys << QKeySequence::fromString(key, QKeySequence::PortableText);
        action->setShortcuts(keys);
        action->setShortcutContext(row.scope == KeyScope::window
                                       ? Qt::WindowShortcut
                                       : Qt::WidgetWithChildrenShortcut);
        if (*row.group) {
            auto*& group = groups[QString::fromLatin1(row.group)];
            if (!group)
                group = new QActionGroup(this);
            group->addAction(action);
        }
        m_actions[row.act] = action;
    }
    retranslate();
}

void Actions::retranslate()
{
    for (const ActionRow& row : actionRows()) {
        QAction* action = m_actions.at(row.act);
        action->setText(QCoreApplication::translate("Actions", row.text));
        setToolTip(action, {});
    }
}

QString Actions::plainName(const QAction* action)
{
    QString name = action->text();
    name.replace(QStringLiteral("&&"), QStringLiteral("\x01"));
    name.remove(QLatin1Char('&'));
    name.replace(QLatin1Char('\x01'), QLatin1Char('&'));
    name.remove(QStringLiteral("…"));
    return name;
}

void Actions::setToolTip(QAction* action, const QString& whyNot) const
{
    const QString name = plainName(action);
    QString tip = name;
    if (!action->shortcut().isEmpty())
        tip = tr("%1 (%2)").arg(name, action->shortcut().toString(QKeySequence::NativeText));
    if (!whyNot.isEmpty())
        tip += QLatin1Char('\n') + whyNot;
    action->setToolTip(text::toolTip(tip));
    action->setStatusTip(whyNot);
}

void Actions::addTo(QWidget* widget, KeyScope scope) const
{
    for (const ActionRow& row : actionRows()) {
        if (row.scope == scope)
            widget->addAction(m_actions.at(row.act));
    }
}

void Actions::setEnabled(Act act, bool enabled, const QString& whyNot)
{
    QAction* action = m_actions.at(act);
    action->setEnabled(enabled);
    setToolTip(action, enabled ? QString() : whyNot);
}

std::vector<std::pair<QString, QString>> Actions::shortcuts() const
{
    std::vector<std::pair<QString, QString>> list;
    for (const ActionRow& row : actionRows()) {
        const QAction* action = m_actions.at(row.act);
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            list.emplace_back(plainName(action), keys.join(QStringLiteral(", ")));
    }
    return list;
}

} // namespace fusescope
