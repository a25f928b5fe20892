import { linkAddress } from '../../links/codes.ts';
import { checkDestinationUrl } from '../../links/destination-url.ts';
import { replaceAddresses } from '../../links/text.ts';
import type { MessageButton, MessageContent, MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { Automation, FollowGate } from '../schemas.ts';
import { tapPayload } from './taps.ts';

/** What words are put on their way with. */
export interface Composing {
  /** Where people reach the redirect, without a final slash. */
  readonly publicBaseUrl: string;
  readonly limits: MessagingLimits;
  /** Whether the platform takes no buttons here: what they say then stands in lines below the text. */
  readonly withoutButtons: boolean;
}

/** The public reply, with the automation's tracked links in the place of what they lead to. */
export function composeReply(automation: Automation, publicBaseUrl: string): string {
  return replaceAddresses(automation.commentReply ?? '', trackedAddress(automation, publicBaseUrl));
}

/** The message itself: what the automation is for. */
export function composeMessage(automation: Automation, composing: Composing): MessageContent {
  const tracked = trackedAddress(automation, composing.publicBaseUrl);
  const buttons = automation.buttons.map(({ title, url }): MessageButton => {
    const target = checkDestinationUrl(url);
    return { type: 'url', title, url: ('url' in target ? tracked(target.url) : undefined) ?? url };
  });
  return fitted(replaceAddresses(automation.dmMessage ?? '', tracked), buttons, composing);
}

/**
 * The follow gate's question.
 *
 * @param turn of the conversation, for the tap to name
 * @param isRefused whether they tapped before and do not follow
 */
export function composeQuestion(
  automation: Automation & { readonly followGate: FollowGate },
  turn: number,
  isRefused: boolean,
  composing: Composing,
): MessageContent {
  const { message, notFollowingMessage, buttonLabel } = automation.followGate;
  const payload = tapPayload({ automationId: automation.id, turn });
  const text = replaceAddresses(
    isRefused ? notFollowingMessage : message,
    trackedAddress(automation, composing.publicBaseUrl),
  );
  return fitted(text, [{ type: 'postback', title: buttonLabel, payload }], composing);
}

function trackedAddress({ links }: Automation, publicBaseUrl: string) {
  const codes = new Map(links.map(({ code, url }) => [url, code]));
  return (url: string): string | undefined => {
    const code = codes.get(url);
    return code === undefined ? undefined : linkAddress(publicBaseUrl, code);
  };
}

/** With its buttons where they are taken, else as a text that says the same. */
function fitted(text: string, buttons: readonly MessageButton[], composing: Composing): MessageContent {
  if (buttons.length === 0) return { text };
  const { withoutButtons, limits } = composing;
  if (!withoutButtons && [...text].length <= limits.textWithButtonsCharacters) return { text, buttons };
  const lines = buttons.map((button) =>
    button.type === 'url' ? `${button.title}: ${button.url}` : button.title,
  );
  return { text: asLines(text, lines, limits.textBytes) };
}

/** A text with lines below it. What is too long is cut from the text: never from a link. */
function asLines(text: string, lines: readonly string[], mostBytes: number): string {
  const below = `\n\n${lines.join('\n')}`;
  const whole = `${text}${below}`;
  if (Buffer.byteLength(whole) <= mostBytes) return whole.trimStart();
  const leftBytes = mostBytes - Buffer.byteLength(`…${below}`);
  return leftBytes > 0 ? `${firstBytes(text, leftBytes)}…${below}` : lines.join('\n');
}

function firstBytes(text: string, mostBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) break;
    kept += character;
  }
  return kept;
}
