import { invalidFields } from '../kernel/errors.ts';
import type { MessageContent, MessagingLimits } from '../platforms/messaging.ts';
import { characterCount, utf8Bytes } from '../platforms/text.ts';
import { gateMessageOf, messageOf, withoutButtons } from './content.ts';
import type { Automation } from './schemas.ts';

type Report = (field: string, message: string) => void;

/**
 * Checks a whole rule: that its parts go together, and that the platform takes each message as it will be sent, with
 * its buttons and, where the platform refuses those, with the buttons as lines of the text. Pure.
 *
 * @throws HeraldError `invalid` with every problem
 */
export function checkAutomation(rule: Automation, limits: MessagingLimits, publicBaseUrl: string): void {
  const problems: { field: string; message: string }[] = [];
  const report: Report = (field, message) => problems.push({ field, message });
  const { commentReply, dmMessage, buttons, followGate } = rule;

  if (commentReply === null && dmMessage === null) {
    report('dmMessage', 'a rule needs a dmMessage, a commentReply, or both');
  }
  if (dmMessage === null && buttons.length > 0)
    report('buttons', 'stand under a dmMessage, which is missing');
  if (dmMessage === null && followGate) report('followGate', 'holds back a dmMessage, which is missing');

  if (commentReply !== null) {
    atMost(characterCount(commentReply), limits.publicReplyCharacters, 'characters', 'commentReply', report);
  }
  checkButtons(rule, limits, report);
  const message = messageOf(rule, publicBaseUrl);
  if (message) checkMessage(message, 'dmMessage', limits, report);
  if (followGate) {
    const label = characterCount(followGate.buttonLabel);
    atMost(label, limits.buttonTitleCharacters, 'characters', 'followGate.buttonLabel', report);
    const [first, again] = (['everyone', 'those who do not follow'] as const).map((to) =>
      gateMessageOf(followGate, to, ''),
    );
    if (first) checkMessage(first, 'followGate.message', limits, report);
    if (again) checkMessage(again, 'followGate.notFollowingMessage', limits, report);
  }
  if (problems.length > 0) throw invalidFields(problems);
}

function checkButtons({ buttons }: Automation, limits: MessagingLimits, report: Report): void {
  if (buttons.length > limits.buttons) report('buttons', `must be at most ${limits.buttons}`);
  for (const [index, { title }] of buttons.entries()) {
    const length = characterCount(title);
    atMost(length, limits.buttonTitleCharacters, 'characters', `buttons[${index}].title`, report);
  }
}

function checkMessage(content: MessageContent, field: string, limits: MessagingLimits, report: Report): void {
  const hasButtons = (content.buttons?.length ?? 0) > 0;
  const longest = limits.textWithButtonsCharacters;
  if (
    hasButtons &&
    !atMost(characterCount(content.text), longest, 'characters with buttons', field, report)
  ) {
    return;
  }
  const unit = hasButtons ? 'bytes with its buttons as text' : 'bytes';
  atMost(utf8Bytes(withoutButtons(content).text), limits.textBytes, unit, field, report);
}

function atMost(found: number, most: number, unit: string, field: string, report: Report): boolean {
  if (found <= most) return true;
  report(field, `is sent as ${found} ${unit}, and may have ${most} at most`);
  return false;
}
