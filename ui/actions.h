#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <map>
#include <vector>

namespace fusescope {

// Every command of the window; the table in actions.cpp gives text, keys, icon and scope.
enum class Act {
    open, reload, exportModel, exportPicture, exportReport, exportValues, properties, closeModel, quit,
    undo, redo, copyName, copyText, find, findNext, findPrevious, selectAllOfType, settings,
    before, after, overlay, split, moveTogether, zoomIn, zoomOut, actualSize, fit, fitSelection,
    attributes, weights, names, leftToRight, expand, collapse, expandAll, collapseAll, leaveBody,
    arrangeAlone, trace, fullScreen,
    first, back, forward, last, runPass, runAll, skip, growRange, shrinkRange, nextChange,
    previousChange, predict, passes,
    compare, divergence, profile, cancel, inputs, dimensions, tolerance,
    why, applyFix, applySafeFixes, scratch, pin, markPure, history, showInputs, showOutputs,
    resetLayout, newWindow,
    shortcuts, examples, tour, reasons, reportProblem, about,
    placeBack, placeForward
};

// Where a key acts. Keys of the graph and the steps tree (letters, digits, Space, arrows) would be
// taken from every text field and list if they were the window's: those actions are added to the
// two widgets with WidgetWithChildrenShortcut.
enum class KeyScope { window, graphAndSteps, graph, steps };

struct ActionRow
{
    Act act;
    const char* text;
    const char* icon;  // "" for none
    const char* keys;  // portable text, several separated by "; "
    KeyScope scope;
    bool checkable;
    const char* group; // exclusive group; "" for none
};

const std::vector<ActionRow>& actionRows();

// The actions of one window, made from the table. Tooltips are "Name (key)"; a disabled action says
// why in its tooltip.
class Actions final : public QObject
{
    Q_OBJECT

public:
    explicit Actions(QObject* parent);

    QAction* operator[](Act act) const { return m_actions.at(act); }
    // Its text as it is read: without mnemonics and dots.
    static QString plainName(const QAction* action);
    // Adds the actions of a scope to the widget whose keys they are.
    void addTo(QWidget* widget, KeyScope scope) const;
    void setEnabled(Act act, bool enabled, const QString& whyNot = {});
    void retranslate();
    // Name, keys and scope of all actions that have keys: the list of shortcuts.
    std::vector<std::pair<QString, QString>> shortcuts() const;

private:
    void setToolTip(QAction* action, const QString& whyNot) const;

    std::map<Act, QAction*> m_actions;
};

} // namespace fusescope
