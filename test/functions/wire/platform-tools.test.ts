import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../../functions/wire/logger.ts';
import { toolsFor } from '../../../functions/wire/platform-tools.ts';
import { environmentOf } from '../../../functions/wire/start.ts';
import { dayMs, toTimestamp } from '../../../lib/kernel/clock.ts';

const parameters = mockClient(SSMClient);
const warned: unknown[] = [];

beforeEach(() => {
  parameters.reset();
  warned.length = 0;
  vi.spyOn(logger, 'warn').mockImplementation((...[message]) => {
    warned.push(message);
  });
});
afterEach(() => vi.restoreAllMocks());

const put = (more: object) =>
  parameters.on(GetParameterCommand).resolves({
    Parameter: { Value: JSON.stringify({ clientId: 'id', clientSecret: 'secret', ...more }) },
  });
const openTools = () =>
  toolsFor(environmentOf({ PLATFORM_PARAMETER_PREFIX: '/herald/test/platforms', PLATFORM_BASE_URLS: '{}' }));
const dayFromNow = (days: number) => toTimestamp(Date.now() + days * dayMs).slice(0, 10);

describe('the sunset of a platform’s API version', () => {
  it('is logged once per platform and instance', async () => {
    put({ apiVersion: 'v1', apiVersionSunsetOn: dayFromNow(30) });
    const platforms = openTools();
    await platforms('facebook');
    await platforms('facebook');
    expect(warned).toEqual([
      expect.stringContaining('facebook serves version v1 of its API for 30 more days'),
    ]);
    await platforms('threads');
    expect(warned).toHaveLength(2);
  });

  it.each([
    ['it is far off', { apiVersion: 'v1', apiVersionSunsetOn: dayFromNow(92) }],
    ['the date of the configured version is not known', { apiVersion: 'v1' }],
    ['none is announced for the version that Herald was written for', {}],
  ])('is not logged if %s', async (_when, more) => {
    put(more);
    await openTools()('youtube');
    expect(warned).toEqual([]);
  });
});

it('the configuration of Facebook Login for Business is passed to the adapter', async () => {
  put({ loginConfigId: '1234' });
  expect((await openTools()('facebook')).app).toEqual({
    clientId: 'id',
    clientSecret: 'secret',
    loginConfigId: '1234',
  });
});

describe('the stored credentials for Instagram’s webhooks', () => {
  it('are passed to adapters with the app credentials', async () => {
    const more = { metaAppSecret: 'meta', webhookVerifyToken: 'token' };
    put(more);
    const { app } = await openTools()('instagram');
    expect(app).toEqual({ clientId: 'id', clientSecret: 'secret', ...more });
  });

  it('may be missing, but not empty', async () => {
    put({});
    const { app } = await openTools()('instagram');
    expect(app).toEqual({ clientId: 'id', clientSecret: 'secret' });
    put({ webhookVerifyToken: '' });
    await expect(openTools()('instagram')).rejects.toMatchObject({ code: 'platform_not_configured' });
  });
});

describe('the setting `hosts`', () => {
  it('moves Threads to other hosts', async () => {
    const hosts = { api: 'graph.threads.com' };
    put({ hosts });
    expect(await openTools()('threads')).toMatchObject({ hosts });
    put({});
    expect(await openTools()('threads')).not.toHaveProperty('hosts');
  });

  it.each([
    ['for another platform', 'facebook', { api: 'graph.facebook.example' }, 'only for Threads'],
    ['that is an address', 'threads', { api: 'https://graph.threads.com' }, 'is not JSON with'],
  ] as const)('is refused %s', async (_which, platform, hosts, message) => {
    put({ hosts });
    await expect(openTools()(platform)).rejects.toMatchObject({
      code: 'platform_not_configured',
      cause: expect.objectContaining({ message: expect.stringContaining(message) }),
    });
  });
});

describe('the setting `sandbox`', () => {
  it('makes Pinterest’s adapter call the sandbox', async () => {
    put({ sandbox: true });
    expect(await openTools()('pinterest')).toMatchObject({ isSandbox: true });
    put({ sandbox: false });
    expect(await openTools()('pinterest')).not.toHaveProperty('isSandbox');
  });

  it('is refused for a platform that has none, because its posts would be public', async () => {
    put({ sandbox: true });
    await expect(openTools()('threads')).rejects.toMatchObject({
      code: 'platform_not_configured',
      cause: expect.objectContaining({ message: expect.stringContaining('which only Pinterest offers') }),
    });
  });
});
