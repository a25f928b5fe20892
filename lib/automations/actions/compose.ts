import { linkAddress } from '../../links/codes.ts';
import { checkDestinationUrl } from '../../links/destination-url.ts';
import { replaceAddresses } from '../../links/text.ts';
import type { MessageButton, MessageContent, MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { Automation, FollowGate } from '../schemas.ts';
import { tapPayload } from './taps.ts';

/** What a message is composed with, besides the automation. */
export interface Composing {
  /** The public address of the redirect, without a final slash. */
  readonly publicBaseUrl: string;
  readonly limits: MessagingLimits;
  /** Whether the platform refuses buttons here. They are then written as lines below the text. */
  readonly withoutButtons: boolean;
}

/** Composes the public reply. Tracked links replace the addresses that they lead to. */
export function composeReply(automation: Automation, publicBaseUrl: string): string {
  return replaceAddresses(automation.commentReply ?? '', trackedAddress(automation, publicBaseUrl));
}

/** Composes the private message (`dmMessage`) with its buttons. Tracked links replace the addresses that they lead to. */
export function composeMessage(automation: Automation, composing: Composing): MessageContent {
  const tracked = trackedAddress(automation, composing.publicBaseUrl);
  const buttons = automation.buttons.map(({ title, url }): MessageButton => {
    const target = checkDestinationUrl(url);
    return { type: 'url', title, url: ('url' in target ? tracked(target.url) : undefined) ?? url };
  });
  return withButtonsOrLines(replaceAddresses(automation.dmMessage ?? '', tracked), buttons, composing);
}

/**
 * Composes the follow gate's question.
 *
 * @param turn the conversation's turn, which the payload of the tap names
 * @param isRefused whether the person has tapped before and does not follow
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
  return withButtonsOrLines(text, [{ type: 'postback', title: buttonLabel, payload }], composing);
}

function trackedAddress({ links }: Automation, publicBaseUrl: string) {
  const codes = new Map(links.map(({ code, url }) => [url, code]));
  return (url: string): string | undefined => {
    const code = codes.get(url);
    return code === undefined ? undefined : linkAddress(publicBaseUrl, code);
  };
}

/** The text with its buttons if they are allowed, otherwise with the buttons as lines of text. */
function withButtonsOrLines(
  text: string,
  buttons: readonly MessageButton[],
  composing: Composing,
): MessageContent {
  if (buttons.length === 0) return { text };
  const { withoutButtons, limits } = composing;
  if (!withoutButtons && [...text].length <= limits.textWithButtonsCharacters) return { text, buttons };
  const lines = buttons.map((button) =>
    button.type === 'url' ? `${button.title}: ${button.url}` : button.title,
  );
  return { text: asLines(text, lines, limits.textBytes) };
}

/** The text with lines below it. If this is too long, cuts the text, never a link. */
function asLines(text: string, lines: readonly string[], maxBytes: number): string {
  const below = `\n\n${lines.join('\n')}`;
  const whole = `${text}${below}`;
  if (Buffer.byteLength(whole) <= maxBytes) return whole.trimStart();
  const leftBytes = maxBytes - Buffer.byteLength(`…${below}`);
  return leftBytes > 0 ? `${firstBytes(text, leftBytes)}…${below}` : lines.join('\n');
}

function firstBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
