import { automationLimits } from '../../../../automations/limits.ts';
import type {
  createAutomationOperation,
  editAutomationOperation,
} from '../../../../automations/operations.ts';
import type { MatchMode } from '../../../../automations/schemas.ts';
import { normalizeText } from '../../../../kernel/normalize-text.ts';
import type { RequestOf } from '../../../api/operation-types.ts';
import { words } from '../../../words/words.ts';
import { type Automation, isStartedByMessages } from '../automation.ts';
import type { Shown } from '../preview/preview.tsx';

type CreateBody = NonNullable<RequestOf<typeof createAutomationOperation>['body']>;
export type AppliesTo = Automation['appliesTo'];
type EditBody = NonNullable<RequestOf<typeof editAutomationOperation>['body']>;

export interface DraftButton {
  /** Only for the page: a button keeps its place on the screen while others go. */
  readonly key: number;
  readonly title: string;
  readonly url: string;
}

/** An automation as it is written. What is turned off keeps its texts until it is saved. */
export interface Draft {
  readonly accountId: string;
  readonly appliesTo: AppliesTo;
  /** The post's id at the platform, or {@link scheduledName} of a post that is not live. */
  readonly platformPostId: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly keywords: readonly string[];
  readonly matchMode: MatchMode;
  readonly typoTolerance: boolean;
  readonly hasReply: boolean;
  readonly commentReply: string;
  readonly hasMessage: boolean;
  readonly dmMessage: string;
  readonly buttons: readonly DraftButton[];
  readonly trackLinks: boolean;
  readonly hasGate: boolean;
  readonly gate: {
    readonly message: string;
    readonly buttonLabel: string;
    readonly notFollowingMessage: string;
  };
}

const noGate: Draft['gate'] = { message: '', buttonLabel: '', notFollowingMessage: '' };

/** A new automation, for an account and a post if they are known. */
export const newDraft = (accountId = '', platformPostId = ''): Draft => ({
  accountId,
  appliesTo: 'post',
  platformPostId,
  name: '',
  isActive: true,
  keywords: [],
  matchMode: 'contains',
  typoTolerance: false,
  hasReply: true,
  commentReply: '',
  hasMessage: true,
  dmMessage: '',
  buttons: [],
  trackLinks: true,
  hasGate: false,
  gate: noGate,
});

export const draftOf = (automation: Automation): Draft => ({
  accountId: automation.accountId,
  appliesTo: automation.appliesTo,
  platformPostId: automation.platformPostId ?? scheduledName(automation.postId ?? ''),
  name: automation.name ?? '',
  isActive: automation.isActive,
  keywords: automation.keywords,
  matchMode: automation.matchMode,
  typoTolerance: automation.typoTolerance,
  hasReply: automation.commentReply !== null,
  commentReply: automation.commentReply ?? '',
  hasMessage: automation.dmMessage !== null,
  dmMessage: automation.dmMessage ?? '',
  buttons: automation.buttons.map(({ title, url }, key) => ({ key, title, url })),
  trackLinks: automation.trackLinks,
  hasGate: automation.followGate !== null,
  gate: automation.followGate ?? noGate,
});

/** Returns the answers that a draft has. A message is answered by a message, and needs no question before it. */
export function answersIn(draft: Draft): Pick<Draft, 'hasReply' | 'hasMessage' | 'gate'> {
  const { gate } = draft;
  if (!isStartedByMessages(draft)) return draft;
  const message = gate.message.trim() === '' ? gate.notFollowingMessage : gate.message;
  return { hasReply: false, hasMessage: true, gate: { ...gate, message } };
}

/** Returns the parts of a draft that are sent to people. */
function answersOf(draft: Draft) {
  const { hasReply, hasMessage, gate } = answersIn(draft);
  return {
    commentReply: hasReply ? draft.commentReply : null,
    dmMessage: hasMessage ? draft.dmMessage : null,
    buttons: hasMessage
      ? draft.buttons.map(({ title, url }) => ({ type: 'url' as const, title, url: url.trim() }))
      : [],
    followGate: hasMessage && draft.hasGate ? gate : null,
  };
}

/** The fields that a change may have. */
const fieldsOf = (draft: Draft) => ({
  name: draft.name.trim() || null,
  isActive: draft.isActive,
  keywords: [...draft.keywords],
  matchMode: draft.matchMode,
  typoTolerance: draft.typoTolerance,
  ...answersOf(draft),
  trackLinks: draft.trackLinks,
});

const scheduled = 'scheduled/';
/** Returns the name of a post of Herald that has no id at the platform yet. */
export const scheduledName = (postId: string): string => `${scheduled}${postId}`;

/** Returns the fields by which the service knows the posts. */
function postsOf({ appliesTo, platformPostId }: Draft) {
  if (appliesTo !== 'post') return { appliesTo };
  const name = platformPostId.trim();
  return name.startsWith(scheduled) ? { postId: name.slice(scheduled.length) } : { platformPostId: name };
}

export const toCreate = (draft: Draft): CreateBody => ({
  accountId: draft.accountId,
  ...postsOf(draft),
  ...fieldsOf(draft),
});

/** The fields that differ from those of the draft as the changes began, so that nobody else's changes are undone. */
export function toEdit(draft: Draft, before: Draft): EditBody {
  const old = fieldsOf(before) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(fieldsOf(draft)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
    ),
  );
}

/** Returns true if saving one instead of the other would make no difference. */
export const isSame = (one: Draft, other: Draft): boolean =>
  JSON.stringify(toCreate(one)) === JSON.stringify(toCreate(other));

/** Returns the parts of a draft that the preview shows. */
export const shownOf = (draft: Draft): Shown => ({
  ...answersOf(draft),
  appliesTo: draft.appliesTo,
  keywords: [...draft.keywords],
  matchMode: draft.matchMode,
  typoTolerance: draft.typoTolerance,
  trackLinks: draft.trackLinks,
});

const texts = words.automationsPage.form.matching;

/** Keywords after some were added, and what was wrong with those that were not. */
interface Added {
  readonly keywords: readonly string[];
  /** The text that stays in the field, to be corrected. */
  readonly rest: string;
  readonly problem: string | undefined;
}

/** Adds what somebody has typed or pasted: keywords with commas or line breaks between them. */
export function addKeywords(keywords: readonly string[], typed: string): Added {
  const added = [...keywords];
  const rest: string[] = [];
  let problem: string | undefined;
  const taken = new Set(keywords.map(normalizeText));
  for (const word of typed.split(/[,\n]/).map((each) => each.trim())) {
    if (word === '') continue;
    const normalized = normalizeText(word);
    const most = automationLimits.keywordCharacters;
    if (taken.has(normalized)) {
      problem ??= texts.same(word);
      continue;
    }
    const wrong =
      normalized === ''
        ? texts.invisible
        : Math.max(word.length, normalized.length) > most
          ? texts.tooLong(most)
          : added.length >= automationLimits.keywords
            ? texts.tooMany(automationLimits.keywords)
            : undefined;
    if (wrong === undefined) {
      taken.add(normalized);
      added.push(word);
    } else {
      problem ??= wrong;
      rest.push(word);
    }
  }
  return { keywords: added, rest: rest.join(', '), problem };
}
