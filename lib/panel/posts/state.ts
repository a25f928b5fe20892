import type { Account } from '../accounts/account.ts';
import type { IconName } from '../components/icon.tsx';
import type { Tone } from '../components/status.tsx';
import { words } from '../words/words.ts';
import { findingsOf, type ListedPost, type ListedTarget, riskOf, timeOf } from './post.ts';

/**
 * The state of a post or a destination, as far as it matters to a person. `proposed`: somebody has to approve the draft. `waiting`: it is
 * scheduled, and something keeps it back, such as a limit of the platform. `atRisk`: it is scheduled, and will probably fail. `unknown`:
 * the platform gave no answer, so a person must look there before it is tried again.
 */
export type Condition = keyof typeof words.post.states;

interface Look {
  readonly tone: Tone;
  /** Default: the picture of the tone. */
  readonly icon?: IconName;
}

const looks: Readonly<Record<Condition, Look>> = {
  draft: { tone: 'neutral', icon: 'pencil' },
  proposed: { tone: 'warn', icon: 'pencil' },
  scheduled: { tone: 'info' },
  waiting: { tone: 'warn', icon: 'clock' },
  atRisk: { tone: 'warn', icon: 'alert' },
  publishing: { tone: 'info', icon: 'refresh' },
  published: { tone: 'good' },
  partial: { tone: 'warn' },
  failed: { tone: 'bad' },
  unknown: { tone: 'bad', icon: 'alert' },
  removed: { tone: 'neutral', icon: 'trash' },
};

/** Returns the one word of a state, with its picture and tone: every page shows these. */
export const lookOf = (condition: Condition): Look & { readonly word: string } => ({
  ...looks[condition],
  word: words.post.states[condition],
});

/** All states in the order in which a post goes through them, with their words, for filters. */
export const stateChoices = Object.entries(words.post.states).map(([id, name]) => ({
  id: id as Condition,
  name,
}));

/** The states of what a person looks at first, the most urgent first. */
export const byUrgency: readonly Condition[] = [
  'unknown',
  'failed',
  'partial',
  'atRisk',
  'waiting',
  'publishing',
  'scheduled',
  'proposed',
  'draft',
  'published',
  'removed',
];

/** The connected accounts by id, and epoch milliseconds: with these, a state takes in accounts without access. */
export interface Known {
  readonly accounts: ReadonlyMap<string, Account> | undefined;
  readonly now: number;
}

/** The state of a destination. Pure. @param at its time, ISO 8601 */
export function conditionOfTarget(target: ListedTarget, known?: Known, at?: string | null): Condition {
  const { status, errorDetail, accountId, removedAt } = target;
  if (removedAt) return 'removed';
  if ((status === 'failed' || status === 'partial') && errorDetail?.category === 'unknown') return 'unknown';
  if (status !== 'scheduled') return status;
  if (findingsOf(target, known?.accounts?.get(accountId)).length > 0) return 'atRisk';
  if (known && at && riskOf(target, at, known.accounts, known.now)) return 'atRisk';
  return errorDetail === null ? status : 'waiting';
}

/**
 * The state of a post, or of some of its destinations: it follows from theirs, on every page in the same way. Pure.
 *
 * @param targets default: all of them
 */
export function conditionOfPost(
  post: ListedPost,
  known?: Known,
  targets: readonly ListedTarget[] = post.platforms,
): Condition {
  const found = new Set(targets.map((target) => conditionOfTarget(target, known, timeOf(target, post))));
  const has = (...conditions: Condition[]) => conditions.some((each) => found.has(each));
  if (!has(...settled, 'scheduled', 'waiting', 'atRisk', 'publishing'))
    return post.approval?.state === 'waiting' ? 'proposed' : 'draft';
  if (has('unknown')) return 'unknown';
  const isBegun = has('publishing', ...settled);
  if (has('publishing') || (isBegun && has('scheduled', 'waiting', 'atRisk'))) return 'publishing';
  if (has('failed', 'partial') && has('partial', 'published', 'removed')) return 'partial';
  return byUrgency.find((each) => found.has(each)) ?? 'draft';
}

const settled = ['published', 'partial', 'failed', 'unknown', 'removed'] as const;
