import { linkAddress } from '../../links/codes.ts';
import { checkDestinationUrl } from '../../links/destination-url.ts';
import { shortenText } from '../../links/shorten-text.ts';
import { replaceAddresses } from '../../links/text.ts';
import type { MessageButton, MessageContent, MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { Automation, FollowGate } from '../schemas.ts';
import { tapPayload } from './taps.ts';

/** The parameters for composing a message of an automation. */
export interface Composing {
  /** The public address of the redirect, without a final slash. */
  readonly linkBaseUrl: string;
  readonly limits: MessagingLimits;
  /** True if the platform refuses buttons here. They are then written as lines below the text. */
  readonly withoutButtons: boolean;
}

/** Composes the public reply. Tracked links replace the original addresses. */
export function composeReply(automation: Automation, linkBaseUrl: string): string {
  return replaceAddresses(automation.commentReply ?? '', trackedAddress(automation, linkBaseUrl));
}

/**
 * Composes the private message (`dmMessage`) with its buttons. Tracked links replace the original addresses; other buttons have
 * the normalized URL. A stored message that is too long is cut, but never inside an address.
 */
export function composeMessage(automation: Automation, composing: Composing): MessageContent {
  const tracked = trackedAddress(automation, composing.linkBaseUrl);
  const buttons = automation.buttons.map(({ title, url }): MessageButton => {
    const target = checkDestinationUrl(url);
    // An automation of an earlier release may have a URL that is refused today.
    return { type: 'url', title, url: 'url' in target ? (tracked(target.url) ?? target.url) : url };
  });
  return withButtonsOrLines(replaceAddresses(automation.dmMessage ?? '', tracked), buttons, composing);
}

/**
 * Composes the follow gate's question.
 *
 * @param turn the conversation's turn, which the payload of the tap names
 * @param isRefused true if the person has tapped before and does not follow
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
    trackedAddress(automation, composing.linkBaseUrl),
  );
  return withButtonsOrLines(text, [{ type: 'postback', title: buttonLabel, payload }], composing);
}

function trackedAddress({ links }: Automation, linkBaseUrl: string) {
  const codes = new Map(links.map(({ code, url }) => [url, code]));
  return (url: string): string | undefined => {
    const code = codes.get(url);
    return code === undefined ? undefined : linkAddress(linkBaseUrl, code);
  };
}

/**
 * Returns the text with its buttons if they are allowed, otherwise with the buttons as lines of text. Cuts a text that is too
 * long.
 */
function withButtonsOrLines(
  text: string,
  buttons: readonly MessageButton[],
  composing: Composing,
): MessageContent {
  const { withoutButtons, limits } = composing;
  if (buttons.length === 0) return { text: shortenText(text, limits.textBytes) };
  if (!withoutButtons && [...text].length <= limits.textWithButtonsCharacters) return { text, buttons };
  const lines = buttons.map((button) =>
    button.type === 'url' ? `${button.title}: ${button.url}` : `Reply: ${button.title}`,
  );
  return { text: asLines(text, lines, limits.textBytes) };
}

/** Returns the text with lines below it. If this is too long, cuts the text. A line that does not fit by itself is left out. */
function asLines(text: string, lines: readonly string[], maxBytes: number): string {
  let below = '';
  for (const line of lines) {
    const longer = `${below}${below === '' ? '\n\n' : '\n'}${line}`;
    if (Buffer.byteLength(longer) <= maxBytes) below = longer;
  }
  return `${shortenText(text, maxBytes - Buffer.byteLength(below))}${below}`.trimStart();
}
