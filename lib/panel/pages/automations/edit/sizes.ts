import { codeLength, linkAddress } from '../../../../links/codes.ts';
import { checkDestinationUrl } from '../../../../links/destination-url.ts';
import { messagingLimits as limits } from '../../../../platforms/instagram/limits.ts';
import { characterCount, utf8Bytes } from '../../../../platforms/shared/text.ts';
import { asSent } from '../preview/as-sent.ts';
import { answersIn, type Draft } from './draft.ts';

/** The length of a text as it is sent, and the longest allowed. */
export interface Size {
  readonly used: number;
  readonly most: number;
  readonly unit: 'characters' | 'bytes';
  /** True if short links have changed its length. */
  readonly isShortened: boolean;
  /** True if its buttons are written below it, as if Instagram refuses them. */
  readonly isAsText: boolean;
}

export interface Sizes {
  readonly commentReply: Size;
  readonly dmMessage: Size;
  readonly gateMessage: Size;
  readonly gateRefusal: Size;
}

/** Measures texts as the service does (`lib/automations/check.ts`). @param linkBaseUrl without a final slash */
export function sizesOf(draft: Draft, linkBaseUrl: string): Sizes {
  const linking = { ...draft, dmMessage: answersIn(draft).hasMessage ? draft.dmMessage : null };
  // Every code is as long.
  const short = linkAddress(linkBaseUrl, 'x'.repeat(codeLength));
  const sent = (text: string) => asSent(text, linking, short);
  const sizeOf = (text: string, unit: Size['unit'], most: number): Size => ({
    used: unit === 'bytes' ? utf8Bytes(sent(text)) : characterCount(sent(text)),
    most,
    unit,
    isShortened: sent(text) !== text,
    isAsText: false,
  });
  const sentUrl = (url: string) => {
    const target = checkDestinationUrl(url.trim());
    return 'url' in target && !draft.trackLinks ? target.url : sent(url.trim());
  };
  /** Measures both forms of a message with buttons, and returns the one that is too long, if only one is. */
  const withButtons = (text: string, lines: readonly string[]): Size => {
    const size = sizeOf(text, 'characters', limits.textWithButtonsCharacters);
    const used = utf8Bytes(`${sent(text)}\n\n${lines.join('\n')}`);
    const isTooLongAsText = used > limits.textBytes && size.used <= size.most;
    return isTooLongAsText ? { ...size, used, most: limits.textBytes, unit: 'bytes', isAsText: true } : size;
  };
  const lines = draft.buttons.map(({ title, url }) => `${title}: ${sentUrl(url)}`);
  const gateLines = [`Reply: ${draft.gate.buttonLabel}`];
  return {
    commentReply: sizeOf(draft.commentReply, 'characters', limits.publicReplyCharacters),
    dmMessage:
      lines.length > 0
        ? withButtons(draft.dmMessage, lines)
        : sizeOf(draft.dmMessage, 'bytes', limits.textBytes),
    gateMessage: withButtons(draft.gate.message, gateLines),
    gateRefusal: withButtons(draft.gate.notFollowingMessage, gateLines),
  };
}
