import { describe, expect, it } from 'vitest';
import { parsePlatformJson } from '../../../../lib/platforms/shared/json.ts';
import { failureOf, requireSuccess, tiktokError } from '../../../../lib/platforms/tiktok/errors.ts';

const answer = (status: number, body: unknown) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: {}, text, json: parsePlatformJson(text), call: 'POST x' };
};
const envelope = (code: string) => ({ data: {}, error: { code, message: 'Words of TikTok', log_id: 'L1' } });
const day = 86_400;

describe('an error of TikTok', () => {
  it.each([
    [401, 'access_token_invalid', 'reauthorise', undefined],
    [401, 'scope_not_authorized', 'reauthorise', undefined],
    [400, 'scope_permission_missed', 'reauthorise', undefined],
    [401, 'anything_new', 'reauthorise', undefined],
    [429, 'rate_limit_exceeded', 'retry', 60],
    [429, 'anything_new', 'retry', 60],
    [500, 'internal_error', 'unknown', undefined],
    [503, 'anything_new', 'unknown', undefined],
    [403, 'spam_risk_too_many_posts', 'retry', 3_600],
    [403, 'spam_risk_too_many_pending_share', 'retry', day],
    [403, 'reached_active_user_cap', 'retry', day],
    [403, 'spam_risk_user_banned_from_posting', 'restricted', undefined],
    [403, 'spam_risk_text', 'rejected', undefined],
    [403, 'spam_risk', 'rejected', undefined],
    [403, 'unaudited_client_can_only_post_to_private_accounts', 'rejected', undefined],
    [403, 'url_ownership_unverified', 'rejected', undefined],
    [403, 'privacy_level_option_mismatch', 'rejected', undefined],
    [400, 'invalid_param', 'rejected', undefined],
    [400, 'invalid_file_upload', 'rejected', undefined],
    [400, 'app_version_check_failed', 'rejected', undefined],
    [400, 'anything_new', 'rejected', undefined],
    // TikTok sends some refusals with a success status. A call with an unknown error may have taken effect.
    [200, 'spam_risk_user_banned_from_posting', 'restricted', undefined],
    [200, 'spam_risk_too_many_posts', 'retry', 3_600],
    [200, 'reached_active_user_cap', 'retry', day],
    [200, 'internal_error', 'unknown', undefined],
    [200, 'anything_new', 'unknown', undefined],
  ])('%i %s has the remedy %s', (status, code, remedy, retryAfterSeconds) => {
    const error = tiktokError(answer(status, envelope(code)));
    expect(error).toMatchObject({
      remedy,
      platformCode: code,
      message: expect.stringMatching(/^TikTok: Words of TikTok/),
    });
    expect(error.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it('has the TikTok log id in its message if the code is unknown', () => {
    expect(tiktokError(answer(400, envelope('anything_new'))).message).toContain('[log L1]');
    expect(tiktokError(answer(400, envelope('spam_risk_text'))).message).not.toContain('L1');
  });

  it.each([
    ['invalid_grant', 'reauthorise'],
    ['invalid_client', 'rejected'],
    ['invalid_request', 'rejected'],
  ])('of the token endpoint may have status 200: %s has the remedy %s', (error, remedy) => {
    for (const status of [200, 400]) {
      const flat = answer(status, { error, error_description: 'Words', log_id: 'L1' });
      expect(() => requireSuccess(flat)).toThrow(expect.objectContaining({ remedy, platformCode: error }));
    }
  });

  it('that is an HTML page or empty leaves the outcome unknown', () => {
    expect(tiktokError(answer(502, '<!DOCTYPE html><title>Bad gateway</title>'))).toMatchObject({
      remedy: 'unknown',
    });
    expect(tiktokError(answer(403, '')).remedy).toBe('unknown');
    expect(tiktokError(answer(429, '')).remedy).toBe('retry');
  });

  it('is absent if the code is ok', () => {
    expect(requireSuccess(answer(200, envelope('ok')))).toMatchObject({ status: 200 });
  });
});

describe('a post that has failed', () => {
  it.each([
    ['file_format_check_failed', 'rejected'],
    ['duration_check_failed', 'rejected'],
    ['frame_rate_check_failed', 'rejected'],
    ['picture_size_check_failed', 'rejected'],
    ['video_pull_failed', 'retry'],
    ['photo_pull_failed', 'retry'],
    ['internal', 'retry'],
    ['auth_removed', 'reauthorise'],
    ['publish_cancelled', 'rejected'],
    ['spam_risk_too_many_posts', 'retry'],
    ['spam_risk_user_banned_from_posting', 'restricted'],
    ['spam_risk_text', 'rejected'],
    ['anything_new', 'rejected'],
    ['', 'rejected'],
  ])('with fail_reason %j has the remedy %s', (reason, remedy) => {
    const failure = failureOf(reason);
    expect(failure.remedy).toBe(remedy);
    expect(failure.message).toContain(reason);
  });
});
