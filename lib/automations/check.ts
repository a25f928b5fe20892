import { invalidFields } from '../kernel/errors.ts';
import type { MessageContent, MessagingLimits } from '../platforms/contract/messaging.ts';
import { characterCount, utf8Bytes } from '../platforms/shared/text.ts';
import { type Composing, composeMessage, composeQuestion, composeReply } from './actions/compose.ts';
import type { Automation } from './schemas.ts';

/** Composes a message of the automation: with its buttons, or with what they say in lines below the text. */
type Compose = (composing: Composing) => MessageContent;

/**
 * Checks a whole automation: that its parts go together, and that the platform takes every message as it will be sent, with its
 * buttons and, where the platform refuses those, without. Pure.
 *
 * @param publicBaseUrl where people reach the redirect, without a final slash
 * @throws HeraldError `invalid` with every problem
 */
export function checkAutomation(
  automation: Automation,
  limits: MessagingLimits,
  publicBaseUrl: string,
): void {
  const problems: { field: string; message: string }[] = [];
  const report = (field: string, message: string) => problems.push({ field, message });
  const { commentReply, dmMessage, buttons, followGate } = automation;

  const atMost = (most: number, unit: string, field: string, found: number) => {
    if (found > most) report(field, `is sent as ${found} ${unit}, and may have ${most} at most`);
  };
  const checkTitle = (field: string, title: string) =>
    atMost(limits.buttonTitleCharacters, 'characters', field, characterCount(title));
  const checkMessage = (field: string, hasButtons: boolean, compose: Compose) => {
    const composing = { publicBaseUrl, limits, withoutButtons: false };
    // Where the text is too long for buttons, it is composed without.
    if (hasButtons && !compose(composing).buttons) {
      report(field, `may have ${limits.textWithButtonsCharacters} characters at most with buttons`);
    }
    const { text } = compose({ ...composing, withoutButtons: true });
    const unit = hasButtons
      ? 'bytes where its buttons are refused and their links stand in the text'
      : 'bytes';
    atMost(limits.textBytes, unit, field, utf8Bytes(text));
  };

  if (commentReply === null && dmMessage === null) {
    report('dmMessage', 'a rule needs a dmMessage, a commentReply, or both');
  }
  if (dmMessage === null && buttons.length > 0)
    report('buttons', 'stand under a dmMessage, which is missing');
  if (dmMessage === null && followGate) report('followGate', 'holds back a dmMessage, which is missing');
  if (buttons.length > limits.buttons) report('buttons', `must be at most ${limits.buttons}`);
  for (const [index, { title }] of buttons.entries()) checkTitle(`buttons[${index}].title`, title);

  if (commentReply !== null) {
    const length = characterCount(composeReply(automation, publicBaseUrl));
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
