import { ownCoverOptions } from '../../../media/cover.ts';
import { words } from '../../../words/words.ts';
import {
  type Destination,
  type Draft,
  isSingleVideo,
  isTiktokDisclosure,
  mediaOf,
  type Options,
  type Step,
} from './draft.ts';
import { instantText } from './to-request.ts';

/** A problem or a warning of the service about a request. */
export interface Finding {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  readonly accountId: string | null;
}

/** The tab for what all accounts share. */
export const allAccounts = 'all';

/** A field of the composer. */
export interface Place {
  /** Its key, which its element's id is made of. */
  readonly key: string;
  /** The tab that has it: an account's id, or {@link allAccounts}; absent if it is always in sight. */
  readonly tab?: string;
  /** The place of a file in it. */
  readonly file?: number;
}

/** The keys of the fields. */
export const keys = {
  accounts: 'accounts',
  content: 'content',
  media: 'media',
  cover: 'cover',
  comment: 'comment',
  when: 'when',
  onQuota: 'on-quota',
  externalId: 'external-id',
  metadata: 'metadata',
  tags: 'tags',
  ownContent: (accountId: string) => `${accountId}-content`,
  ownMedia: (accountId: string) => `${accountId}-media`,
  ownTime: (accountId: string) => `${accountId}-time`,
  ownCover: (accountId: string) => `${accountId}-cover`,
  option: (accountId: string, name: string) => `${accountId}-option-${name}`,
  step: (key: string, field: 'content' | 'media' | 'accounts' | 'minutes') => `step-${key}-${field}`,
  stepOption: (key: string, accountId: string, name: string) => `step-${key}-${accountId}-option-${name}`,
} as const;

export const idOfKey = (key: string): string => `compose-${key}`;

const coverNames = ['thumbOffset', 'videoCoverTimestampMs', 'coverKeyFrameSeconds', 'coverImageUrl'];

/**
 * The field of the composer that a field of the request belongs to: `platforms[1].platformSpecificData.title` to the title of the second
 * account, or to what the account inherits. Pure.
 */
export function placeOf(field: string, draft: Draft): Place {
  const [, list, place = '', rest = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(field) ?? [];
  const index = place === '' ? undefined : Number(place);
  switch (list) {
    case 'content':
      return { key: keys.content, tab: allAccounts };
    case 'mediaItems':
      return { key: keys.media, tab: allAccounts, ...(index !== undefined && { file: index }) };
    case 'coverUrl':
      return { key: keys.cover, tab: allAccounts };
    case 'scheduledFor':
    case 'publishNow':
    case 'isDraft':
    case 'timezone':
      return { key: keys.when };
    case 'onQuota':
      return { key: keys.onQuota };
    case 'externalId':
    case 'externalIdUnique':
      return { key: keys.externalId };
    case 'metadata':
      return { key: keys.metadata };
    case 'tags':
      return { key: keys.tags };
    case 'platforms':
      return inDestination(index, rest, draft);
    case 'chain':
      return inStep(index, rest, draft);
    default:
      return { key: keys.accounts };
  }
}

function inDestination(index: number | undefined, rest: string, draft: Draft): Place {
  const destination = index === undefined ? undefined : draft.destinations[index];
  if (destination === undefined) return { key: keys.accounts };
  const { accountId, options, time } = destination;
  const [, name = '', place, below = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(rest) ?? [];
  const file = place === undefined ? {} : { file: Number(place) };
  switch (name) {
    case 'customContent':
      return { key: keys.ownContent(accountId), tab: accountId };
    case 'customMedia':
      return { key: keys.ownMedia(accountId), tab: accountId, ...file };
    case 'scheduledFor':
      return time === undefined ? { key: keys.when } : { key: keys.ownTime(accountId), tab: accountId };
    case 'platformSpecificData': {
      const option = optionNameOf(below);
      if (!Object.hasOwn(options, option)) {
        if (option === 'firstComment') return { key: keys.comment, tab: allAccounts };
        if (coverNames.includes(option)) return { key: keys.cover, tab: allAccounts };
      }
      if (coverNames.includes(option) && hasCoverField(draft, destination))
        return { key: keys.ownCover(accountId), tab: accountId };
      return { key: keys.option(accountId, option), tab: accountId };
    }
    default:
      return { key: keys.accounts };
  }
}

function inStep(index: number | undefined, rest: string, draft: Draft): Place {
  const step = index === undefined ? undefined : draft.chain[index];
  if (step === undefined) return { key: keys.accounts };
  const [, name = '', place, below = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(rest) ?? [];
  if (name === 'content' && step.kind === 'followUp') return { key: keys.step(step.key, 'content') };
  if (name === 'mediaItems' && step.kind === 'followUp')
    return { key: keys.step(step.key, 'media'), ...(place !== undefined && { file: Number(place) }) };
  if (name === 'afterMinutes') return { key: keys.step(step.key, 'minutes') };
  if (name === 'options') {
    const [, accountId = '', option = ''] = /^([\w-]+)\.(.*)$/.exec(below) ?? [];
    if (step.accountIds.includes(accountId))
      return { key: keys.stepOption(step.key, accountId, optionNameOf(option)) };
  }
  return { key: keys.step(step.key, 'accounts') };
}

/** Returns true if a destination has a cover field. With one account and nothing of its own, the cover is that of the post. */
export const hasCoverField = (draft: Draft, destination: Destination): boolean =>
  hasTabs(draft) &&
  isSingleVideo(mediaOf(draft, destination)) &&
  ownCoverOptions(destination.platform).length > 0;

/** Returns true if each account has a tab: with one account that differs in nothing, there is nothing to choose between. */
export function hasTabs({ destinations: [first, ...others] }: Draft): boolean {
  if (first === undefined || others.length > 0) return others.length > 0;
  const { content, media, time, shape } = first;
  return [content, media, time, shape].some((own) => own !== undefined);
}

/** `userTags` of `userTags[0].username`. */
const optionNameOf = (path: string): string => /^\w+/.exec(path)?.[0] ?? path;

/** A finding with the field that it is shown at. */
export interface Placed extends Finding {
  readonly place: Place;
}

/** Puts findings to their fields. What several accounts share, and what is said twice, is listed once for each account. */
export function placeAll(findings: readonly Finding[], draft: Draft): readonly Placed[] {
  const seen = new Set<string>();
  return findings.flatMap((finding) => {
    const place = placeOf(finding.field, draft);
    const said = JSON.stringify([place.key, place.file, finding.accountId, finding.message]);
    if (seen.has(said)) return [];
    seen.add(said);
    return [{ ...finding, place }];
  });
}

/** The messages at a field. */
export const at = (findings: readonly Placed[], key: string): readonly Placed[] =>
  findings.filter(({ place }) => place.key === key);

/** Counts the findings of each tab. */
export function countByTab(findings: readonly Placed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of findings)
    if (place.tab !== undefined) counts.set(place.tab, (counts.get(place.tab) ?? 0) + 1);
  return counts;
}

/** Sorts findings as the form has their fields: accounts, what they share, what each has, the time, the chain. */
export function inOrder(findings: readonly Placed[], { destinations, chain }: Draft): readonly Placed[] {
  const rank = ({ place: { key, tab } }: Placed): number => {
    if (key === keys.accounts) return -2;
    if (tab === allAccounts) return -1;
    if (tab !== undefined) return destinations.findIndex(({ accountId }) => accountId === tab);
    const step = chain.findIndex((each) => key.startsWith(`step-${each.key}-`));
    return destinations.length + 1 + step;
  };
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

/** The most accounts of a post, as the service has it. */
const maxAccounts = 50;

interface Context {
  /** True if the post was never stored: what it says about children is then nobody's choice yet. */
  readonly isNew: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns what the composer itself knows to be missing, before the service is asked. Pure. */
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
    ...destinations.flatMap(({ accountId, platform, options }) =>
      isNew && platform === 'tiktok' && isTiktokDisclosure(options) && !promotesSomebody(options)
        ? [
            problem(
              keys.option(accountId, 'brandOrganicToggle'),
              words.composer.findings.disclosure,
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

const promotesSomebody = ({ brandOrganicToggle, brandContentToggle }: Options): boolean =>
  brandOrganicToggle === true || brandContentToggle === true;

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
