import { lackOf } from '../accounts/capabilities.ts';
import type { Account } from '../accounts/schemas.ts';
import { type FieldProblem, invalidField, invalidFields, type Report } from '../kernel/errors.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { MessageContent, MessagingLimits } from '../platforms/contract/messaging.ts';
import { characterCount, utf8Bytes } from '../platforms/shared/text.ts';
import { type Composing, composeMessage, composeQuestion, composeReply } from './actions/compose.ts';
import { isStartedByMessages, postsNamed } from './answered-posts.ts';
import type { Automation } from './schemas.ts';

/** Composes a message of the automation: with its buttons, or with the buttons as lines below the text. */
type Compose = (composing: Composing) => MessageContent;

/**
 * Checks a whole automation: its parts must be compatible, and the platform must accept every message as it will be sent, both
 * with its buttons and (if the platform refuses them) with the buttons as text. Nothing is cut for the check. Pure.
 *
 * @param linkBaseUrl the public address of the redirect, without a final slash
 * @throws HeraldError `invalid` with every problem
 */
export function checkAutomation(automation: Automation, limits: MessagingLimits, linkBaseUrl: string): void {
  const problems: FieldProblem[] = [];
  const report: Report = (field, code, message) => problems.push({ field, code, message });
  const { commentReply, dmMessage, buttons, followGate } = automation;

  const atMost = (max: number, unit: string, field: string, found: number) => {
    if (found > max)
      report(field, 'field_too_long', `is sent as ${found} ${unit}, but at most ${max} are allowed`);
  };
  const checkTitle = (field: string, title: string) =>
    atMost(limits.buttonTitleCharacters, 'characters', field, characterCount(title));
  const checkMessage = (field: string, hasButtons: boolean, compose: Compose) => {
    const composing = { linkBaseUrl, limits, withoutButtons: false };
    // A text that is too long for buttons is composed without them.
    if (hasButtons && !compose(composing).buttons) {
      report(
        field,
        'field_too_long',
        `must be sent as at most ${limits.textWithButtonsCharacters} characters if it has buttons`,
      );
    }
    const uncut = { ...limits, textBytes: Number.POSITIVE_INFINITY };
    const { text } = compose({ ...composing, limits: uncut, withoutButtons: true });
    const unit = hasButtons
      ? 'bytes if the platform refuses its buttons and they are written into the text'
      : 'bytes';
    atMost(limits.textBytes, unit, field, utf8Bytes(text));
  };

  if (isStartedByMessages(automation)) {
    if (commentReply !== null)
      report('commentReply', 'contradictory_fields', 'answers a comment, but messages start this automation');
    if (dmMessage === null)
      report('dmMessage', 'field_required', 'is required for an automation that messages start');
  } else if (commentReply === null && dmMessage === null) {
    report('dmMessage', 'field_required', 'an automation needs a dmMessage, a commentReply, or both');
  }
  if (lacksKeywords(automation)) report('keywords', 'field_required', needsKeywords);
  if (dmMessage === null && buttons.length > 0)
    report('buttons', 'contradictory_fields', 'need a dmMessage: add one, or remove the buttons');
  if (dmMessage === null && followGate)
    report('followGate', 'contradictory_fields', 'needs a dmMessage: add one, or remove the follow gate');
  if (buttons.length > limits.buttons)
    report('buttons', 'field_too_long', `must have at most ${limits.buttons} entries`);
  for (const [index, { title }] of buttons.entries()) checkTitle(`buttons[${index}].title`, title);

  if (commentReply !== null) {
    const length = characterCount(composeReply(automation, linkBaseUrl));
    atMost(limits.publicReplyCharacters, 'characters', 'commentReply', length);
  }
  if (dmMessage !== null) {
    checkMessage('dmMessage', buttons.length > 0, (composing) => composeMessage(automation, composing));
  }
  if (followGate) {
    const gated = { ...automation, followGate };
    checkTitle('followGate.buttonLabel', followGate.buttonLabel);
    checkMessage('followGate.message', true, (composing) => composeQuestion(gated, 1, false, composing));
    checkMessage('followGate.notFollowingMessage', true, (composing) =>
      composeQuestion(gated, 1, true, composing),
    );
  }
  if (problems.length > 0) throw invalidFields(problems);
}

const needsKeywords = 'must have at least one entry if the automation answers direct messages';

/** True if an automation would answer every message to the account. It must not. */
export const lacksKeywords = ({
  platformPostId,
  keywords,
}: Pick<Automation, 'platformPostId' | 'keywords'>) =>
  keywords.length === 0 && postsNamed(platformPostId).kind === 'direct messages';

/** @throws HeraldError `invalid` (field `keywords`) if the automation needs keywords and has none */
export function requireKeywords(automation: Automation): void {
  if (lacksKeywords(automation)) throw invalidField('keywords', needsKeywords, 'field_required');
}

/**
 * Requires the features of an automation. It reads comments, unless messages start it, and one with a `dmMessage` also sends
 * messages.
 *
 * @throws HeraldError `invalid` (field `accountId`) if the account lacks a feature that the automation needs
 */
export function requireFeatures(
  automation: Pick<Automation, 'dmMessage' | 'platformPostId'>,
  account: Account,
  stageFeatures: StageFeatures,
): void {
  const { dmMessage } = automation;
  const needed = [
    ...(isStartedByMessages(automation) ? [] : (['comments'] as const)),
    ...(dmMessage === null ? [] : (['messages'] as const)),
  ];
  for (const feature of needed) {
    const lack = lackOf(account, feature, stageFeatures);
    if (lack !== undefined) throw invalidField('accountId', lack, 'feature_missing');
  }
}
