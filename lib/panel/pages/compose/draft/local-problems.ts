import { words } from '../../../words/words.ts';
import type { Draft, Step } from './draft.ts';
import { allAccounts, keys, type Placed } from './places.ts';
import { instantText } from './to-request.ts';

/** The most accounts of a post, as the service has it. */
export const maxAccounts = 50;

interface Context {
  /** Whether the post was never stored: what it says about children is then nobody's choice yet. */
  readonly isNew: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What the composer itself knows to be missing, before the service is asked. Pure. */
export function localProblems(draft: Draft, { isNew, now }: Context): readonly Placed[] {
  const { destinations, when, timezone, chain } = draft;
  const problem = (key: string, message: string, tab?: string, accountId: string | null = null): Placed => ({
    field: '',
    code: 'field_required',
    message,
    accountId,
    place: { key, ...(tab !== undefined && { tab }) },
  });
  const time = when.kind === 'at' ? instantText(when.time, timezone) : undefined;
  const haveOwnTimes = destinations.length > 0 && destinations.every((each) => each.time !== undefined);
  return [
    ...(destinations.length === 0 ? [problem(keys.accounts, words.composer.accounts.needed)] : []),
    ...(destinations.length > maxAccounts
      ? [problem(keys.accounts, words.composer.accounts.most(maxAccounts))]
      : []),
    ...(when.kind === 'at' && time === undefined && !haveOwnTimes
      ? [problem(keys.when, words.composer.when.needed)]
      : []),
    ...(isNew && time !== undefined && Date.parse(time) < now - toleranceMs
      ? [problem(keys.when, words.composer.when.past)]
      : []),
    ...destinations.flatMap(({ accountId, platform, options }) =>
      isNew && platform === 'youtube' && options['madeForKids'] === undefined
        ? [
            problem(
              keys.option(accountId, 'madeForKids'),
              words.composer.findings.madeForKids,
              accountId,
              accountId,
            ),
          ]
        : [],
    ),
    ...destinations.flatMap(({ accountId, time }) => {
      if (time === undefined) return [];
      const at = instantText(time, timezone);
      const isPast = at !== undefined && isNew && Date.parse(at) < now - toleranceMs;
      const message =
        at === undefined ? words.composer.ownTime.incomplete : isPast ? words.composer.when.past : undefined;
      return message === undefined ? [] : [problem(keys.ownTime(accountId), message, accountId, accountId)];
    }),
    ...metadataProblems(draft).map((message) => problem(keys.metadata, message)),
    ...chain.flatMap((step) => stepProblems(step, problem)),
  ];
}

/** A pair without a name, and a second one with the same name, could not be sent. */
function metadataProblems({ metadata = [] }: Draft): readonly string[] {
  const names = metadata.filter(({ name, value }) => name !== '' || value !== '').map(({ name }) => name);
  const twice = names.find((name, place) => name !== '' && names.indexOf(name) !== place);
  return [
    ...(names.includes('') ? [words.composer.forPrograms.nameNeeded] : []),
    ...(twice === undefined ? [] : [words.composer.forPrograms.nameTwice(twice)]),
  ];
}

/** The service takes a time a little in the past as now. */
const toleranceMs = 10 * 60_000;

function stepProblems(step: Step, problem: (key: string, message: string) => Placed): readonly Placed[] {
  const { key, accountIds, afterMinutes } = step;
  const isRange = Number.isInteger(afterMinutes) && afterMinutes >= 0 && afterMinutes <= 1_440;
  return [
    ...(accountIds.length === 0
      ? [problem(keys.step(key, 'accounts'), words.composer.chain.accountsNeeded)]
      : []),
    ...(hasSubstance(step) ? [] : [problem(keys.step(key, 'content'), words.composer.chain.textNeeded)]),
    ...(isRange ? [] : [problem(keys.step(key, 'minutes'), words.composer.chain.minutesRange)]),
  ];
}

const hasSubstance = ({ kind, content, media }: Step) =>
  kind === 'crossPost' || content !== '' || media.length > 0;

/** The part of a draft that the service can check: it refuses a step that is not complete, and then checks nothing else. */
export const checkable = (draft: Draft): Draft => ({
  ...draft,
  chain: draft.chain.filter(
    (step) =>
      step.accountIds.length > 0 && hasSubstance(step) && stepProblems(step, () => broken).length === 0,
  ),
});

const broken: Placed = {
  field: '',
  code: '',
  message: '',
  accountId: null,
  place: { key: '', tab: allAccounts },
};
