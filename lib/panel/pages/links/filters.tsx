import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { nameOf } from '../../accounts/account.ts';
import { useAccountsById } from '../../accounts/use-accounts.ts';
import { ComboBox } from '../../components/combo-box.tsx';
import { DayField } from '../../components/day-field.tsx';
import type { Filters } from '../../use-filters.ts';
import { words } from '../../words/words.ts';
import { titleOf } from '../automations/titles.ts';
import { useAutomations } from '../automations/use-automations.ts';
import classes from './links.module.css';
import { keyOf, mostDays, presets, type Range } from './range.ts';

const texts = words.linksPage.range;
/** No id of an automation. */
const all = 'all';
const custom = 'custom';

interface LinkFiltersProps {
  range: Range;
  automationId: string;
  set: Filters<'last' | 'from' | 'to' | 'automation'>['set'];
}

/** The period, and of which automation. The URL keeps both. */
export function LinkFilters({ range, automationId, set }: LinkFiltersProps) {
  const { from, to, preset, problem } = range;
  const isCustom = preset === undefined;
  const choose = (key: string) => {
    if (key === custom) set({ last: '', from, to });
    else set({ last: key, from: '', to: '' });
  };
  return (
    <search className={classes.filters} aria-label={texts.label}>
      <ToggleButtonGroup
        className={classes.presets}
        aria-label={texts.label}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[isCustom ? custom : keyOf(preset)]}
        onSelectionChange={(keys) => [...keys].forEach((key) => void choose(String(key)))}
      >
        {presets.map((days) => (
          <ToggleButton key={days} id={keyOf(days)} className={classes.preset}>
            {texts.preset(days)}
          </ToggleButton>
        ))}
        <ToggleButton id={custom} className={classes.preset}>
          {texts.custom}
        </ToggleButton>
      </ToggleButtonGroup>
      <div className={classes.automation}>
        <AutomationChoice automationId={automationId} onChange={(automation) => set({ automation })} />
      </div>
      {isCustom && (
        <div className={classes.days}>
          <DayField label={texts.from} value={from} onChange={(day) => set({ last: '', from: day, to })} />
          <DayField
            label={texts.to}
            value={to}
            problem={
              problem === 'backwards'
                ? texts.backwards
                : problem === 'too-long'
                  ? texts.tooLong(mostDays)
                  : undefined
            }
            onChange={(day) => set({ last: '', from, to: day })}
          />
        </div>
      )}
    </search>
  );
}

interface AutomationChoiceProps {
  automationId: string;
  onChange: (automationId: string) => void;
}

function AutomationChoice({ automationId, onChange }: AutomationChoiceProps) {
  const { automations, isReading } = useAutomations();
  const accounts = useAccountsById();
  // A list with the same names is the same list: the field would otherwise begin anew with every refresh.
  const listed = JSON.stringify(
    (automations ?? []).map((each) => {
      const account = accounts?.get(each.accountId);
      const note = account ? nameOf(account) : accounts && words.account.disconnected;
      return { id: each.id, name: titleOf(each), ...(note !== undefined && { note }) };
    }),
  );
  const isKnown = automationId === '' || automations?.some(({ id }) => id === automationId);
  const isRead = automations !== undefined && !isReading;
  const choices = [
    { id: all, name: words.linksPage.allAutomations },
    ...JSON.parse(listed),
    ...(isKnown ? [] : [{ id: automationId, name: isRead ? words.linksPage.unknownAutomation : '…' }]),
  ];
  return (
    <ComboBox
      label={words.linksPage.automation}
      choices={choices}
      value={automationId || all}
      onChange={(key) => onChange(key === null || key === all ? '' : String(key))}
    />
  );
}
