import type { Account } from '../../../accounts/account.ts';
import { coverAddressOption, coverOptions, ownCoverOptions } from '../../../media/cover.ts';
import type { CoverChoice, DraftMedia } from '../../../media/draft-media.ts';
import {
  type Destination,
  type Draft,
  hasOwn,
  type MetadataPair,
  type Options,
  type PlannedTime,
  type Step,
  type When,
} from './draft.ts';

import { followFiles, followText, putFileBack, removeFile } from './following.ts';

/** Everything that a person does to a draft. */
export type Action =
  | { readonly do: 'write'; readonly content: string }
  | { readonly do: 'attach'; readonly media: readonly DraftMedia[] }
  /** Takes a file out of the list of a field, and brings it back with all that was said about it. */
  | { readonly do: 'removeFile'; readonly of: string; readonly place: number }
  | { readonly do: 'putBack'; readonly of: string; readonly place: number; readonly before: Draft }
  | { readonly do: 'cover'; readonly cover: CoverChoice }
  | { readonly do: 'comment'; readonly text: string }
  /** Adds an account, with its default options, or takes it out. */
  | { readonly do: 'toggle'; readonly account: Toggled }
  /** Replaces what an account has of its own; `undefined` inherits again. */
  | { readonly do: 'override'; readonly accountId: string; readonly changes: Override }
  | { readonly do: 'option'; readonly accountId: string; readonly name: string; readonly value: unknown }
  /** The cover of one account; without anything, it inherits again. */
  | { readonly do: 'ownCover'; readonly accountId: string; readonly cover: OwnCover }
  | { readonly do: 'plan'; readonly when: When }
  | { readonly do: 'forPrograms'; readonly changes: ForPrograms }
  | { readonly do: 'addStep'; readonly key: string; readonly kind: Step['kind'] }
  | { readonly do: 'editStep'; readonly key: string; readonly changes: Partial<Omit<Step, 'key'>> }
  | { readonly do: 'removeStep'; readonly key: string }
  | { readonly do: 'moveStep'; readonly key: string; readonly by: -1 | 1 }
  /** Another tab, or the service, has a later one. */
  | { readonly do: 'replace'; readonly draft: Draft };

type Toggled = Pick<Account, 'id' | 'platform'> & Partial<Pick<Account, 'defaultOptions'>>;

export interface Override {
  readonly content?: string | undefined;
  readonly media?: readonly DraftMedia[] | undefined;
  readonly time?: PlannedTime | undefined;
  readonly shape?: Destination['shape'] | undefined;
}

/** The fields that no platform shows: those that only programs read or decide, and the tags. */
export interface ForPrograms {
  readonly onQuota?: Draft['onQuota'] | undefined;
  readonly externalId?: string | undefined;
  readonly isExternalIdUnique?: boolean | undefined;
  readonly metadata?: readonly MetadataPair[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A platform takes one of the two. */
export interface OwnCover {
  /** In milliseconds from the beginning. */
  readonly frameMs?: number | undefined;
  /** The address of an image, if the platform fetches it. */
  readonly address?: string | undefined;
}

/** Returns a draft after an action. An action that changes nothing returns the same draft. Pure. */
export function act(draft: Draft, action: Action): Draft {
  const after = changed(draft, action);
  if (after === draft) return draft;
  const moved = moving.includes(action.do) ? followFiles(draft, after) : after;
  return writing.includes(action.do) ? followText(draft, moved) : moved;
}

/** The actions that may move files, and those that may change a text. */
const moving: readonly Action['do'][] = ['attach', 'override', 'editStep'];
const writing: readonly Action['do'][] = ['write', 'override', 'editStep'];

function changed(draft: Draft, action: Action): Draft {
  switch (action.do) {
    case 'write':
      return action.content === draft.content ? draft : { ...draft, content: action.content };
    case 'attach':
      return { ...draft, media: action.media };
    case 'removeFile':
      return removeFile(draft, action.of, action.place);
    case 'putBack':
      return putFileBack(draft, action.of, action.place, action.before);
    case 'cover':
      return withCover(draft, action.cover);
    case 'comment':
      return { ...draft, firstComment: action.text };
    case 'toggle':
      return toggle(draft, action.account);
    case 'override':
      return editDestination(draft, action.accountId, (each) =>
        withoutUndefined({ ...each, ...action.changes }),
      );
    case 'option':
      return editDestination(draft, action.accountId, (each) => ({
        ...each,
        options: withOption(each.options, action.name, action.value),
      }));
    case 'ownCover':
      return editDestination(draft, action.accountId, (each) => withOwnCover(each, action.cover));
    case 'plan':
      return { ...draft, when: action.when };
    case 'forPrograms':
      return withoutUndefined({ ...draft, ...action.changes }) as Draft;
    case 'addStep':
      return { ...draft, chain: [...draft.chain, newStep(action.key, action.kind)] };
    case 'editStep':
      return {
        ...draft,
        chain: draft.chain.map((step) => (step.key === action.key ? { ...step, ...action.changes } : step)),
      };
    case 'removeStep':
      return { ...draft, chain: draft.chain.filter(({ key }) => key !== action.key) };
    case 'moveStep':
      return { ...draft, chain: moved(draft.chain, action.key, action.by) };
    case 'replace':
      return action.draft;
  }
}

/** `undefined` takes an option away: the platform's usual applies. */
export function withOption(options: Options, name: string, value: unknown): Options {
  const { [name]: _, ...others } = options;
  return value === undefined ? others : { ...options, [name]: value };
}

const newStep = (key: string, kind: Step['kind']): Step => ({
  key,
  kind,
  accountIds: [],
  afterMinutes: kind === 'followUp' ? 30 : 60,
  content: '',
  media: [],
  options: {},
});

/** An account that comes back has again what was typed for it. */
function toggle(draft: Draft, { id, platform, defaultOptions: options = {} }: Toggled): Draft {
  const present = draft.destinations.find(({ accountId }) => accountId === id);
  const isIt = ({ accountId }: Destination) => accountId === id;
  const parked = draft.parked.filter((each) => !isIt(each));
  if (present !== undefined) {
    return {
      ...draft,
      destinations: draft.destinations.filter((each) => !isIt(each)),
      parked: hasOwn(present) ? [...parked, present] : parked,
    };
  }
  const back = draft.parked.find(isIt) ?? { accountId: id, platform, options };
  return { ...draft, destinations: [...draft.destinations, back], parked };
}

function editDestination(draft: Draft, accountId: string, edit: (each: Destination) => Destination): Draft {
  return {
    ...draft,
    destinations: draft.destinations.map((each) => (each.accountId === accountId ? edit(each) : each)),
  };
}

/** A new frame is for all destinations: what one had chosen for itself goes. */
function withCover({ cover: _, frameMs: before, ...draft }: Draft, { image, frameMs }: CoverChoice): Draft {
  const destinations =
    frameMs === before
      ? draft.destinations
      : draft.destinations.map((each) => {
          const names = Object.keys(coverOptions(each.platform, 0));
          return {
            ...each,
            options: names.reduce((rest, name) => withOption(rest, name, undefined), each.options),
          };
        });
  return {
    ...draft,
    destinations,
    ...(image !== undefined && { cover: image }),
    ...(frameMs !== undefined && { frameMs }),
  };
}

function withOwnCover(destination: Destination, { frameMs, address }: OwnCover): Destination {
  const { platform, options } = destination;
  const rest = ownCoverOptions(platform).reduce((left, name) => withOption(left, name, undefined), options);
  const name = coverAddressOption(platform);
  const own =
    name !== undefined && address !== undefined ? { [name]: address } : coverOptions(platform, frameMs);
  return { ...destination, options: { ...rest, ...own } };
}

function moved(chain: readonly Step[], key: string, by: -1 | 1): readonly Step[] {
  const from = chain.findIndex((step) => step.key === key);
  const step = chain[from];
  if (step === undefined || chain[from + by] === undefined) return chain;
  return chain.toSpliced(from, 1).toSpliced(from + by, 0, step);
}

const withoutUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };
