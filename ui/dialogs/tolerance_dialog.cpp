#include "ui/dialogs/tolerance_dialog.h"

#include "ui/dialogs/form.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace fusescope {

ToleranceDialog::ToleranceDialog(AppState& state, QWidget* parent)
    : QDialog(parent), m_state(state),
      m_own(new QCheckBox(tr("Own numbers instead of those of the element type"), this)),
      m_rtol(new QLineEdit(this)), m_atol(new QLineEdit(this))
{
    setWindowTitle(tr("Tolerance"));
    m_own->setChecked(state.rtol() || state.atol());
    m_rtol->setText(text::scientific(state.rtol().value_or(1e-3)));
    m_atol->setText(text::scientific(state.atol().value_or(1e-5)));
    for (QLineEdit* edit : {m_rtol, m_atol}) {
        auto* validator = new QDoubleValidator(0, 1e6, 12, edit);
        validator->setLocale(QLocale::c());
        edit->setValidator(validator);
        edit->setEnabled(m_own->isChecked());
        connect(m_own, &QCheckBox::toggled, edit, &QWidget::setEnabled);
    }
    auto* fields = new QFormLayout;
    fields->addRow(m_own);
    form::addRow(fields, tr("Relative (rtol)"), m_rtol);
    form::addRow(fields, tr("Absolute (atol)"), m_atol);
    auto* buttons = form::buttons(this, tr("Use These"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(fields);
    layout->addWidget(form::note(tr("An element passes if |before − after| ≤ atol + rtol · max "
                                    "|before|, the largest of its tensor. Integers, bools and "
                                    "strings must be equal."), this));
    layout->addStretch(1);
    layout->addWidget(buttons);
    const auto check = [this, buttons] {
        buttons->button(QDialogButtonBox::Ok)
            ->setEnabled(!m_own->isChecked() ||
                         (m_rtol->hasAcceptableInput() && m_atol->hasAcceptableInput()));
    };
    connect(m_own, &QCheckBox::toggled, this, check);
    connect(m_rtol, &QLineEdit::textChanged, this, check);
    connect(m_atol, &QLineEdit::textChanged, this, check);
    connect(&state, &AppState::sessionChanged, this, &QDialog::reject);
    check();
}

void ToleranceDialog::accept()
{
    if (m_own->isChecked())
        m_state.setTolerance(QLocale::c().toDouble(m_rtol->text()),
                             QLocale::c().toDouble(m_atol->text()));
    else
        m_state.setTolerance(std::nullopt, std::nullopt);
    QDialog::accept();
}

} // namespace fusescope
