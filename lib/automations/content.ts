import { addressesIn, checkTarget, linkAddress, replaceAddresses } from '../links/index.ts';
import type { MessageContent } from '../platforms/messaging.ts';
import type { Automation, FollowGate } from './schemas.ts';

type LinkCarrier = Pick<Automation, 'dmMessage' | 'buttons' | 'trackLinks'>;

/** The addresses that a rule's message and buttons lead to, as links write them, each once. Pure. */
export function addressesOf({ dmMessage, buttons }: Omit<LinkCarrier, 'trackLinks'>): string[] {
  return [...new Set([...addressesIn(dmMessage ?? ''), ...buttons.map(({ url }) => normalAddress(url))])];
}

/**
 * The private message of a rule as it is sent: with short addresses in the place of those that are tracked. Pure.
 *
 * @param publicBaseUrl where people reach the API, without a final slash
 * @returns undefined where the rule sends none
 */
export function messageOf(
  { dmMessage, buttons, trackLinks, links }: LinkCarrier & Pick<Automation, 'links'>,
  publicBaseUrl: string,
): MessageContent | undefined {
  if (dmMessage === null) return undefined;
  const codes = new Map(trackLinks ? links.map(({ code, url }) => [url, code]) : []);
  const shortOf = (url: string): string | undefined => {
    const code = codes.get(url);
    return code && linkAddress(publicBaseUrl, code);
  };
  return {
    text: replaceAddresses(dmMessage, shortOf),
    buttons: buttons.map(({ type, title, url }) => ({
      type,
      title,
      url: shortOf(normalAddress(url)) ?? url,
    })),
  };
}

/** A message of the follow gate with the button that is to be tapped. @param payload what the tap carries back */
export function gateMessageOf(
  { message, notFollowingMessage, buttonLabel }: FollowGate,
  to: 'everyone' | 'those who do not follow',
  payload: string,
): MessageContent {
  const text = to === 'everyone' ? message : notFollowingMessage;
  return { text, buttons: [{ type: 'postback', title: buttonLabel, payload }] };
}

/**
 * The same message where the platform takes no buttons: each is a line of the text, with its address where it leads to
 * one.
 */
export function withoutButtons({ text, buttons = [] }: MessageContent): MessageContent {
  const lines = buttons.map((button) =>
    button.type === 'url' ? `${button.title}: ${button.url}` : button.title,
  );
  return { text: [text, ...lines].join('\n') };
}

/** As {@link addressesIn} writes it. */
function normalAddress(url: string): string {
  const verdict = checkTarget(url);
  return 'url' in verdict ? verdict.url : url;
}
