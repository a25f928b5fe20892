import type { MatchMode } from '../../../../automations/schemas.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Section } from '../../../components/section.tsx';
import { words } from '../../../words/words.ts';
import type { Draft } from './draft.ts';
import { KeywordsField } from './keywords-field.tsx';

const texts = words.automationsPage.form.matching;
const modes: readonly MatchMode[] = ['contains', 'word', 'starts_with', 'exact'];

interface MatchingFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  typed: string;
  onType: (typed: string) => void;
  onAdd: (typed: string) => void;
  problem: string | undefined;
}

/** Which comments are answered. */
export function MatchingFields({ draft, change, ...adding }: MatchingFieldsProps) {
  return (
    <Section title={texts.title} lead={texts.lead} isCard>
      <KeywordsField keywords={draft.keywords} onChange={(keywords) => change({ keywords })} {...adding} />
      {draft.keywords.length > 0 && (
        <>
          <RadioGroup
            name="matchMode"
            label={texts.mode}
            value={draft.matchMode}
            onChange={(matchMode) => change({ matchMode: matchMode as MatchMode })}
          >
            {modes.map((mode) => (
              <Radio key={mode} value={mode} note={words.automationsPage.matchModes[mode].note}>
                {words.automationsPage.matchModes[mode].name}
              </Radio>
            ))}
          </RadioGroup>
          <Checkbox
            isSelected={draft.typoTolerance}
            onChange={(typoTolerance) => change({ typoTolerance })}
            note={texts.typosNote}
          >
            {texts.typos}
          </Checkbox>
        </>
      )}
    </Section>
  );
}
