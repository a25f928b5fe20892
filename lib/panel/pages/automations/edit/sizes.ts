import { codeLength, linkAddress } from '../../../../links/codes.ts';
import { messagingLimits as limits } from '../../../../platforms/instagram/limits.ts';
import { characterCount, utf8Bytes } from '../../../../platforms/shared/text.ts';
import { asSent } from '../preview/as-sent.ts';
import type { Draft } from './draft.ts';

/** How long a text is as it is sent, and how long it may be. */
export interface Size {
  readonly used: number;
  readonly most: number;
  readonly unit: 'characters' | 'bytes';
  /** Whether short links have changed its length. */
  readonly isShortened: boolean;
}

export interface Sizes {
  readonly commentReply: Size;
  readonly dmMessage: Size;
  readonly gateMessage: Size;
  readonly gateRefusal: Size;
  /** Whether the message is cut if Instagram refuses its buttons, which are then written below it. */
  readonly isCutWithoutButtons: boolean;
}

/** As the service measures texts (`lib/automations/check.ts`). @param publicBaseUrl without a final slash */
export function sizesOf(draft: Draft, publicBaseUrl: string): Sizes {
  const linking = { ...draft, dmMessage: draft.hasMessage ? draft.dmMessage : null };
  // Every code is as long.
  const short = linkAddress(publicBaseUrl, 'x'.repeat(codeLength));
  const sent = (text: string) => asSent(text, linking, short);
  const sizeOf = (text: string, unit: Size['unit'], most: number): Size => ({
    used: unit === 'bytes' ? utf8Bytes(sent(text)) : characterCount(sent(text)),
    most,
    unit,
    isShortened: sent(text) !== text,
  });
  const withButtons = (text: string) => sizeOf(text, 'characters', limits.textWithButtonsCharacters);
  const lines = draft.buttons.map(({ title, url }) => `\n${title}: ${sent(url)}`).join('');
  return {
    commentReply: sizeOf(draft.commentReply, 'characters', limits.publicReplyCharacters),
    dmMessage:
      draft.buttons.length > 0
        ? withButtons(draft.dmMessage)
        : sizeOf(draft.dmMessage, 'bytes', limits.textBytes),
    gateMessage: withButtons(draft.gate.message),
    gateRefusal: withButtons(draft.gate.notFollowingMessage),
    isCutWithoutButtons:
      draft.buttons.length > 0 && utf8Bytes(`${sent(draft.dmMessage)}\n${lines}`) > limits.textBytes,
  };
}
