import type { PostDraft } from '../request/check-shape.ts';
import { filesOf, type PostWithTargets } from '../stored/store.ts';

/** The occasion for which a post is planned. It determines what is checked. */
export type PlanMode =
  | { readonly kind: 'create' }
  | { readonly kind: 'validate' }
  /** A draft that stays one. */
  | { readonly kind: 'edit draft'; readonly existing: PostWithTargets }
  /** An edit that schedules a draft, which promises that it can be published. */
  | { readonly kind: 'schedule draft'; readonly existing: PostWithTargets }
  | {
      readonly kind: 'edit scheduled';
      readonly existing: PostWithTargets;
      /**
       * The parts that the edit sets, even if to the same values. The others were accepted before, and may have expired since.
       */
      readonly changes: { readonly times: boolean; readonly options: boolean };
    }
  /** A step of a chain becomes a post. It was checked when the chain was created. */
  | { readonly kind: 'chain step' };

interface ModeChecks {
  /**
   * True if the request makes something go live without another request: a time, `auto`, `publishNow`, a change of a scheduled
   * post, or a step of its chain. A validation asks what would happen then.
   */
  readonly goesLive: 'always' | 'if scheduled' | 'never';
  /** True if the plan is about a post that is no draft, or no longer one afterwards. A validation only asks. */
  readonly beyondDrafts: 'always' | 'if scheduled' | 'never';
  /** The times of a scheduled post. */
  readonly times: 'always' | 'if changed' | 'never';
  /** The names of the platforms' options. */
  readonly optionNames: 'always' | 'if changed';
  /** The accounts and files that must exist and be fit. `new`: those to which the stored post does not already refer. */
  readonly references: 'all' | 'new' | 'none';
}

const checksByMode: Readonly<Record<PlanMode['kind'], ModeChecks>> = {
  create: {
    goesLive: 'if scheduled',
    beyondDrafts: 'if scheduled',
    times: 'always',
    optionNames: 'always',
    references: 'all',
  },
  validate: {
    goesLive: 'always',
    beyondDrafts: 'never',
    times: 'always',
    optionNames: 'always',
    references: 'all',
  },
  'edit draft': {
    goesLive: 'never',
    beyondDrafts: 'never',
    times: 'always',
    optionNames: 'always',
    references: 'new',
  },
  'schedule draft': {
    goesLive: 'always',
    beyondDrafts: 'always',
    times: 'always',
    optionNames: 'always',
    references: 'all',
  },
  'edit scheduled': {
    goesLive: 'if scheduled',
    beyondDrafts: 'always',
    times: 'if changed',
    optionNames: 'if changed',
    references: 'new',
  },
  'chain step': {
    goesLive: 'never',
    beyondDrafts: 'never',
    times: 'never',
    optionNames: 'always',
    references: 'none',
  },
};

/**
 * The accounts and files to which a stored post already refers. If one of them is gone by now, this is only a warning: a change
 * of something else must not be refused because of it.
 */
export interface KnownReferences {
  /** The accounts of the post's destinations. */
  readonly accountIds: ReadonlySet<string>;
  /** The accounts of the steps of its chain. */
  readonly chainAccountIds: ReadonlySet<string>;
  /** The files of the post, its destinations and its chain. */
  readonly mediaIds: ReadonlySet<string>;
}

/** The checks of one plan. */
export interface Checks {
  /**
   * True if the request makes something go live without another request, or asks what would happen then. The post must meet the
   * platforms' rules and have nothing that is not built. Otherwise the post is a draft, which may break all that.
   */
  readonly goesLive: boolean;
  readonly times: boolean;
  readonly optionNames: boolean;
  /** True if accounts and files must exist and be fit; otherwise publishing reports those that are not. */
  readonly references: boolean;
  /** The references of the stored post. If one of these is gone by now, this is a warning. */
  readonly known: KnownReferences | undefined;
}

/** Returns the checks of a draft in a mode. Pure. */
export function checksOf(mode: PlanMode, { isScheduled }: Pick<PostDraft, 'isScheduled'>): Checks {
  const { goesLive, times, optionNames, references } = checksByMode[mode.kind];
  const changes = mode.kind === 'edit scheduled' ? mode.changes : { times: true, options: true };
  const existing = existingOf(mode);
  return {
    goesLive: goesLive === 'always' || (goesLive === 'if scheduled' && isScheduled),
    times: times === 'always' || (times === 'if changed' && changes.times),
    optionNames: optionNames === 'always' || changes.options,
    references: references !== 'none',
    known: references === 'new' && existing ? knownReferences(existing) : undefined,
  };
}

/** Returns true if only an actor that may publish may carry out the plan. Pure. */
export function isBeyondDrafts(mode: PlanMode, { isScheduled }: Pick<PostDraft, 'isScheduled'>): boolean {
  const { beyondDrafts } = checksByMode[mode.kind];
  return beyondDrafts === 'always' || (beyondDrafts === 'if scheduled' && isScheduled);
}

/** Returns the stored post that an edit replaces. */
export const existingOf = (mode: PlanMode): PostWithTargets | undefined =>
  'existing' in mode ? mode.existing : undefined;

/** Returns the accounts and files to which a stored post refers. Pure. */
function knownReferences({ post, targets }: PostWithTargets): KnownReferences {
  const { chain = [] } = post;
  return {
    accountIds: new Set(targets.map(({ accountId }) => accountId)),
    chainAccountIds: new Set(chain.flatMap(({ accountIds }) => accountIds)),
    mediaIds: filesOf({ post, targets }),
  };
}
