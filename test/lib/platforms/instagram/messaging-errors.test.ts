import { describe, expect, it } from 'vitest';
import { PlatformError } from '../../../../lib/platforms/contract/errors.ts';
import type { PlatformResponse } from '../../../../lib/platforms/contract/http.ts';
import { MessageRefused } from '../../../../lib/platforms/contract/messaging.ts';
import {
  commentError,
  instagramMessaging,
  messageError,
} from '../../../../lib/platforms/instagram/errors.ts';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';
import { requireGraphSuccess } from '../../../../lib/platforms/shared/meta/graph.ts';

function thrownFor(code: number, subcode?: number): PlatformError {
  const error = {
    message: 'Words of Instagram',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
  };
  const text = JSON.stringify({ error });
  const answer: PlatformResponse = {
    status: 400,
    headers: {},
    text,
    json: parsePlatformJson(text),
    call: 'POST x',
  };
  try {
    requireGraphSuccess(instagramMessaging, answer);
  } catch (thrown) {
    if (thrown instanceof PlatformError) return thrown;
  }
  throw new Error('nothing was thrown');
}
const refusedFor = (error: unknown) => (error instanceof MessageRefused ? error.refusedFor : undefined);

describe('an error of a message', () => {
  it.each([
    [10, 2534022, 'rejected', 'window'],
    [10, 2018278, 'rejected', 'window'],
    [10, 2018108, 'rejected', 'window'],
    [100, 2534025, 'rejected', 'comment'],
    [100, 2534014, 'rejected', undefined],
    [100, 2534001, 'rejected', undefined],
    [100, 2534013, 'rejected', undefined],
    [100, 2534029, 'rejected', undefined],
    [551, 1545041, 'rejected', undefined],
    [551, undefined, 'rejected', undefined],
    [10, 2018300, 'rejected', undefined],
    [200, 2018028, 'rejected', undefined],
    [200, 2534041, 'reauthorise', undefined],
    [190, undefined, 'reauthorise', undefined],
    [190, 463, 'reauthorise', undefined],
    [10, undefined, 'restricted', undefined],
    [10, 1893063, 'unknown', undefined],
    [2, 1545133, 'unknown', undefined],
    [1, undefined, 'unknown', undefined],
    [2, undefined, 'unknown', undefined],
    [613, undefined, 'retry', undefined],
    [4, undefined, 'retry', undefined],
    [80006, undefined, 'retry', undefined],
    [987654, undefined, 'unknown', undefined],
  ])('%i/%s has the remedy %s, refused for %s', (code, subcode, remedy, reason) => {
    const error = thrownFor(code, subcode);
    for (const hasButtons of [true, false]) {
      const told = messageError(error, hasButtons);
      expect(told).toMatchObject({ remedy, message: error.message, platformCode: error.platformCode });
      expect(refusedFor(told)).toBe(reason);
    }
  });

  it.each([
    [100, undefined, true, 'buttons'],
    [100, 1234567, true, 'buttons'],
    [100, undefined, false, undefined],
    [100, 33, true, undefined],
    [551, undefined, true, undefined],
  ])('%i/%s (buttons sent: %s) is refused for %s', (code, subcode, hasButtons, reason) => {
    expect(refusedFor(messageError(thrownFor(code, subcode), hasButtons))).toBe(reason);
  });

  it('of a missing comment is refused for the comment', () => {
    expect(refusedFor(commentError(thrownFor(100, 33)))).toBe('comment');
    expect(refusedFor(commentError(thrownFor(100)))).toBeUndefined();
  });
});
