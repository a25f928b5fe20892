import { words } from '../../../words/words.ts';
import type { Draft } from '../draft/draft.ts';
import { keys, type Placed } from '../draft/places.ts';
import type { Control } from './control.ts';
import { controls } from './controls.ts';

/** The control that a finding is about; `undefined` if it is about something else. */
function controlOf({ place }: Placed, { destinations, chain }: Draft): Control | undefined {
  const [, owner = '', name = ''] = /^(.*)-option-(.*)$/.exec(place.key) ?? [];
  if (name === '') return undefined;
  const destination = destinations.find(({ accountId }) => accountId === owner);
  if (destination !== undefined) return controls[destination.platform][name];
  // The platform of a step's account is not known here, so the first control of that name says what it is.
  const isStep = chain.some(({ key }) => owner.startsWith(`step-${key}-`));
  return isStep ? Object.values(controls).find((each) => Object.hasOwn(each, name))?.[name] : undefined;
}

/** Where a choice is missing, the service lists its values, which people do not know. */
export const inWords = (findings: readonly Placed[], draft: Draft): readonly Placed[] =>
  findings.map((finding) => {
    const control = finding.code === 'option_required' ? controlOf(finding, draft) : undefined;
    const isChosen = control !== undefined && control.kind !== 'text' && control.kind !== 'list';
    return isChosen ? { ...finding, message: words.options.chooseOne } : finding;
  });

/** What the field of a finding is called: the service's messages go on from it, as in “Title: is required”. */
export function labelOf(finding: Placed, draft: Draft): string | undefined {
  const { place, field } = finding;
  const { key, file } = place;
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
  return controlOf(finding, draft)?.label;
}
