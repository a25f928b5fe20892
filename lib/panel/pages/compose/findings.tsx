import { Button as BaseButton } from 'react-aria-components/Button';
import { join } from '../../components/classes.ts';
import { sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Stack } from '../../components/layout.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { FitButtons, withoutFitHint } from '../../media/fit.tsx';
import { words } from '../../words/words.ts';
import classes from './composer.module.css';
import { accountName, useComposing } from './context.ts';
import { fitAction } from './draft/fit.ts';
import { keys, type Placed } from './draft/places.ts';
import type { Control } from './options/control.ts';
import { controlOf } from './options/option-fields.tsx';

const texts = words.composer.findings;

/** A list of problems or warnings, each with the way to its field, and with a remedy where one press is enough. */
export function Findings({ tone, findings }: { tone: 'bad' | 'warn'; findings: readonly Placed[] }) {
  const { draft, accounts, act, go } = useComposing();
  if (findings.length === 0) return null;
  const makeFit = (finding: Placed, fit: 'pad' | 'crop') => {
    const action = fitAction(draft, finding, fit);
    if (action !== undefined) act(action);
    // There, the part that stays in sight is chosen.
    if (fit === 'crop') go(finding.place);
  };
  return (
    <Stack as="ul" gap={1}>
      {findings.map((finding) => {
        const { place, accountId, field } = finding;
        const message = withoutFitHint(finding.message);
        const platform = draft.destinations.find((each) => each.accountId === accountId)?.platform;
        const account = accountId === null ? undefined : accountName(accounts, accountId, platform);
        const label = labelOf(finding, controlOf(finding, draft));
        const text = label === undefined ? sentence(message) : texts.field(label, ended(message));
        return (
          <li key={`${place.key} ${field} ${accountId} ${message}`}>
            <BaseButton className={join(classes.finding, classes[tone])} onPress={() => go(place)}>
              <Icon name={tone === 'bad' ? 'alert' : 'info'} size={14} />
              <VisuallyHidden>{tone === 'bad' ? texts.problem : texts.warning}. </VisuallyHidden>
              <span>
                {account !== undefined && <strong>{account}</strong>}
                <span>{text}</span>
              </span>
            </BaseButton>
            <FitButtons
              messages={[finding.message]}
              name={words.composer.files.place((place.file ?? 0) + 1)}
              onChoose={(fit) => makeFit(finding, fit)}
            />
          </li>
        );
      })}
    </Stack>
  );
}

/** Returns the name of a finding's field: the service's messages go on from it, as in “Title: is required”. */
function labelOf({ place: { key, file }, field }: Placed, control: Control | undefined): string | undefined {
  if (key === keys.content || key.endsWith('-content')) return words.composer.text.label;
  if (key === keys.media || key.endsWith('-media')) {
    if (file === undefined) return words.composer.files.label;
    return field.endsWith('.altText')
      ? words.composer.files.altTextOf(file + 1)
      : words.composer.files.place(file + 1);
  }
  if (key === keys.cover || key.endsWith('-cover')) return words.composer.ownCover.label;
  if (key === keys.comment) return words.composer.comment.label;
  if (key === keys.onQuota) return words.composer.forPrograms.onQuota.label;
  if (key === keys.externalId) return words.composer.forPrograms.externalId.label;
  if (key === keys.metadata && field !== '') return words.composer.forPrograms.metadata.label;
  return control?.label;
}

/** Ends a message that stands after the name of its field, where it stays in lower case, as the service writes it. */
const ended = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`);
