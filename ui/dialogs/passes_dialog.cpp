#include "ui/dialogs/passes_dialog.h"

#include "session/catalog.h"
#include "ui/dialogs/form.h"
#include "ui/panels/panel_parts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace fusescope {

namespace {

QString stageName(Stage stage)
{
    switch (stage) {
    case Stage::fixes:
        return PassesDialog::tr("Fixes");
    case Stage::inlining:
        return PassesDialog::tr("Inline");
    case Stage::folding:
        return PassesDialog::tr("Folding");
    case Stage::deadCode:
        return PassesDialog::tr("Dead code");
    case Stage::fusion:
        return PassesDialog::tr("Fusion");
    }
    return {};
}

} // namespace

PassesDialog::PassesDialog(AppState& state, QWidget* parent)
    : QDialog(parent), m_state(state), m_target(new QComboBox(this)), m_tree(new QTreeWidget(this))
{
    setWindowTitle(tr("Passes"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderHidden(true);
    m_tree->setAccessibleName(tr("Passes"));
    const std::set<std::string>& off = state.plan().policy.disabled;
    std::map<Stage, QTreeWidgetItem*> stages;
    for (const RuleInfo& info : ruleCatalog()) {
        QTreeWidgetItem*& stage = stages[info.stage];
        if (!stage) {
            stage = new QTreeWidgetItem(m_tree, {stageName(info.stage)});
            stage->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                            Qt::ItemIsAutoTristate);
        }
        auto* rule = new QTreeWidgetItem(
            stage, {state.sentence(info.name, nullptr), parts::str(info.rule)});
        rule->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        const bool isOff = off.contains(std::string(info.rule)) ||
                           off.contains(std::string(idOf(info.stage)));
        rule->setCheckState(0, isOff ? Qt::Unchecked : Qt::Checked);
        rule->setForeground(1, theme().color(Token::text2));
    }
    m_tree->expandAll();
    m_tree->resizeColumnToContents(0);
    auto* buttons = form::buttons(this, tr("Use These"));
    auto* all = buttons->addButton(tr("All On"), QDialogButtonBox::ResetRole);
    auto* none = buttons->addButton(tr("All Off"), QDialogButtonBox::ResetRole);
    connect(all, &QPushButton::clicked, this, [this] { setAll(true); });
    connect(none, &QPushButton::clicked, this, [this] { setAll(false); });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(form::note(tr("The passes run in this order. Switching one off makes the "
                                    "steps anew; it can be undone."), this));
    layout->addWidget(m_tree, 1);
    auto* fields = new QFormLayout;
    form::addRow(fields, tr("Target:"), m_target);
    layout->addLayout(fields);
    auto* about = form::note(QString(), this);
    layout->addWidget(about);
    for (const TargetInfo& info : targetCatalog())
        m_target->addItem(info.id == "generic" ? tr("Any runtime") : parts::str(info.name),
                          parts::str(info.id));
    const auto describe = [this, about] {
        for (const TargetInfo& info : targetCatalog()) {
            if (info.id == target())
                about->setText(m_state.sentence(info.description, nullptr));
        }
    };
    connect(m_target, &QComboBox::currentIndexChanged, this, describe);
    setTarget(state.plan().policy.target);
    describe();
    layout->addWidget(buttons);
    resize(520, 600);
    connect(&state, &AppState::sessionChanged, this, &QDialog::reject);
}

std::set<std::string> PassesDialog::disabled() const
{
    std::set<std::string> off;
    for (int s = 0; s < m_tree->topLevelItemCount(); ++s) {
        const QTreeWidgetItem* stage = m_tree->topLevelItem(s);
        for (int r = 0; r < stage->childCount(); ++r) {
            if (stage->child(r)->checkState(0) == Qt::Unchecked)
                off.insert(stage->child(r)->text(1).toStdString());
        }
    }
    return off;
}

std::string PassesDialog::target() const
{
    return m_target->currentData().toString().toStdString();
}

void PassesDialog::setTarget(const std::string& id)
{
    m_target->setCurrentIndex(std::max(0, m_target->findData(QString::fromStdString(id))));
}

void PassesDialog::setAll(bool on)
{
    for (int s = 0; s < m_tree->topLevelItemCount(); ++s) {
        QTreeWidgetItem* stage = m_tree->topLevelItem(s);
        for (int r = 0; r < stage->childCount(); ++r)
            stage->child(r)->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
    }
}

void PassesDialog::accept()
{
    const std::set<std::string> off = disabled();
    if (m_state.hasModel() && target() != m_state.plan().policy.target) {
        Plan plan = m_state.plan();
        plan.policy.disabled = off;
        plan.policy.target = target();
        m_state.changePlan(std::move(plan), tr("Choice of target"));
    } else if (m_state.hasModel()) {
        m_state.setDisabled(off);
    }
    QDialog::accept();
}

} // namespace fusescope
