import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import type { AccountView } from '../../../lib/accounts/schemas.ts';
import { firstIdAt } from '../../../lib/kernel/ids.ts';
import {
  createKeyOperation,
  listKeysOperation,
  listMembersOperation,
  revokeKeyOperation,
  rotateKeyOperation,
} from '../../../lib/people/operations.ts';
import type { KeyView, MemberView } from '../../../lib/people/views.ts';
import {
  listAllDeliveriesOperation,
  listDeliveriesOperation,
  redeliverFailedOperation,
  redeliverOperation,
  testWebhookOperation,
} from '../../../lib/webhooks/deliveries/operations.ts';
import {
  createWebhookOperation,
  editWebhookOperation,
  listWebhooksOperation,
  removeWebhookOperation,
  rotateSecretOperation,
} from '../../../lib/webhooks/endpoints/operations.ts';
import { replayOperation } from '../../../lib/webhooks/replays/operations.ts';
import type { DeliveryAttempt } from '../../../lib/webhooks/schemas.ts';
import type { DeliveryView, WebhookView } from '../../../lib/webhooks/views.ts';
import { type FakeApi, refusal } from './fake-api.ts';
import { answer } from './operation-answers.ts';

const minuteMs = 60_000;

/** `id(31)`: an id that reads well in a failure. */
export const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The time some minutes before now. */
export const ago = (minutes: number): string => new Date(Date.now() - minutes * minuteMs).toISOString();
export const day = (minutesAgo: number): string => ago(minutesAgo).slice(0, 10);
export const days = (number: number): number => number * 24 * 60;

/** Names that hostile or careless people choose. */
export const hostileNames = [
  '<img src=x onerror=alert(1)>&amp;',
  `${'Extraordinarily long name without an end '.repeat(2)}${'x'.repeat(18)}`,
  'مفتاح المتجر الإلكتروني – الإنتاج',
  '🦊🔑 Füchse & Schlüssel 👩‍👩‍👧‍👦',
  '\u202Egnp.exe',
] as const;

export function keyOf(number: number, changes: Partial<KeyView> = {}): KeyView {
  return {
    id: id(number),
    name: `Key ${number}`,
    lastFour: 'x4Qz',
    permissions: null,
    accountIds: null,
    status: 'active',
    expiresAt: null,
    revokedAt: null,
    previousUntil: null,
    createdAt: ago(days(40)),
    createdBy: { kind: 'person', id: 'person-1' },
    lastUsedOn: day(30),
    grant: null,
    ...changes,
  };
}

export function accountOf(number: number, changes: Partial<AccountView> = {}): AccountView {
  return {
    _id: id(number),
    id: id(number),
    platform: 'instagram',
    username: `account-${number}`,
    displayName: null,
    avatarUrl: null,
    isActive: true,
    status: 'ok',
    statusMessage: null,
    statusSince: null,
    defaultOptions: {},
    capabilities: [],
    externalId: null,
    connectedAt: ago(days(90)),
    profileId: { _id: id(1) },
    meta: {},
    ...changes,
  };
}

export function endpointOf(number: number, changes: Partial<WebhookView> = {}): WebhookView {
  return {
    id: id(number),
    url: `https://shop-${number}.example/herald`,
    events: ['*'],
    accountIds: null,
    isActive: true,
    description: null,
    status: 'active',
    statusMessage: null,
    createdAt: ago(days(20)),
    ...changes,
  };
}

export function attemptOf(changes: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return { at: ago(5), statusCode: 200, latencyMs: 132, responseStart: 'ok', error: null, ...changes };
}

/** An id of that time, as the service makes them: their order is that of time. */
export const idAt = (time: string, number: number): string =>
  `${firstIdAt(Date.parse(time))}-7000-8000-${String(number).padStart(12, '0')}`;

export function deliveryOf(number: number, changes: Partial<DeliveryView> = {}): DeliveryView {
  const createdAt = changes.createdAt ?? ago(number);
  return {
    id: idAt(createdAt, number),
    webhookId: id(51),
    eventId: idAt(createdAt, number + 1_000_000),
    type: 'post.published',
    status: 'delivered',
    createdAt,
    attempts: [attemptOf({ at: createdAt })],
    nextAttemptAt: null,
    ...changes,
  };
}

export const newApiKey = 'hk_test_5w8rQ2nVbX0sK7yTzL3mPdC6fGhJ9aEuAb12';
export const newSecret = 'whsec_3q5t8wQeRtYuIoPaSdFgHjKlZxCvBnM';

/** The state of a workspace's keys, endpoints and deliveries, behind the API's own operations. */
export class FakeDevelopers {
  keys: KeyView[] = [];
  members: MemberView[] = [
    memberOf(21, { name: 'Olga Owner', role: 'owner', personId: 'person-1', isYou: true }),
  ];
  accounts: AccountView[] = [];
  endpoints: WebhookView[] = [];
  /** Newest first. */
  deliveries: DeliveryView[] = [];

  private hasReplayed = false;
  private readonly api: FakeApi;

  constructor(api: FakeApi) {
    this.api = api;
    this.answer();
  }

  /** Lets the API answer all operations of the page, again if a test had it refuse some. */
  answer(): void {
    const { api } = this;
    this.answerKeys(api);
    this.answerEndpoints(api);
    this.answerDeliveries(api);
    answer(api, listMembersOperation, () => ({ members: this.members }));
    answer(api, listAccountsOperation, () => ({ accounts: this.accounts, nextCursor: null }));
  }

  private answerKeys(api: FakeApi): void {
    answer(api, listKeysOperation, () => ({ keys: this.keys }));
    answer(api, createKeyOperation, ({ body }) => {
      const { name, permissions = null, accountIds = null, expiresAt = null } = body;
      const key = keyOf(900, {
        name,
        permissions,
        accountIds,
        expiresAt,
        createdAt: ago(0),
        lastUsedOn: null,
      });
      this.keys = [{ ...key, lastFour: newApiKey.slice(-4) }, ...this.keys];
      return { key, apiKey: newApiKey, warnings: [] };
    });
    answer(api, rotateKeyOperation, ({ body: { overlapMinutes, expiresAt }, parameters: [wanted] }) => {
      const previousUntil = overlapMinutes === 0 ? null : ago(-overlapMinutes);
      this.keys = this.keys.map((key) =>
        key.id === wanted
          ? {
              ...key,
              previousUntil,
              lastFour: 'Ab12',
              ...(expiresAt && { expiresAt, status: 'active' as const }),
            }
          : key,
      );
      return { key: this.keys.find((key) => key.id === wanted) as KeyView, apiKey: newApiKey, warnings: [] };
    });
    answer(api, revokeKeyOperation, ({ parameters: [wanted] }) => {
      this.keys = this.keys.map((key) =>
        key.id === wanted ? { ...key, status: 'revoked', revokedAt: ago(0) } : key,
      );
      return undefined;
    });
  }

  private answerEndpoints(api: FakeApi): void {
    answer(api, listWebhooksOperation, () => ({ webhooks: this.endpoints, nextCursor: null }));
    answer(api, createWebhookOperation, ({ body }) => {
      const webhook = { ...endpointOf(59), ...body, events: [...body.events], createdAt: ago(0) };
      this.endpoints = [...this.endpoints, webhook];
      return { webhook: { ...webhook, secret: newSecret }, warnings: [] };
    });
    answer(api, editWebhookOperation, ({ body, parameters: [wanted] }) => {
      const isActive = body.isActive ?? true;
      this.endpoints = this.endpoints.map((each) =>
        each.id === wanted
          ? ({ ...each, ...body, status: isActive ? 'active' : 'disabled' } as WebhookView)
          : each,
      );
      return { webhook: this.endpoint(wanted), warnings: [] };
    });
    answer(api, rotateSecretOperation, ({ parameters: [wanted] }) => ({
      webhook: { ...this.endpoint(wanted), secret: newSecret },
    }));
    answer(api, removeWebhookOperation, ({ parameters: [wanted] }) => {
      this.endpoints = this.endpoints.filter((each) => each.id !== wanted);
      return { ok: true as const };
    });
  }

  private answerDeliveries(api: FakeApi): void {
    answer(api, listAllDeliveriesOperation, ({ query }) => this.page(this.deliveries, query));
    answer(api, listDeliveriesOperation, ({ query, parameters: [wanted] }) =>
      this.page(
        this.deliveries.filter(({ webhookId }) => webhookId === wanted),
        query,
      ),
    );
    answer(api, testWebhookOperation, ({ parameters: [wanted = ''] }) => {
      const delivery = deliveryOf(0, { webhookId: wanted, type: 'webhook.test', ...pending });
      this.deliveries = [delivery, ...this.deliveries];
      return { delivery };
    });
    answer(api, redeliverOperation, ({ parameters: [, wanted] }) => {
      const delivery = this.deliveries.find((each) => each.id === wanted);
      if (!delivery) return refusal(404, 'not_found', 'delivery: not found');
      return { delivery: this.change(delivery.id, { status: 'pending', nextAttemptAt: ago(0) }) };
    });
    answer(api, replayOperation, () => {
      const hasMore = !this.hasReplayed;
      this.hasReplayed = true;
      return { events: hasMore ? 10_000 : 12, nextCursor: 'later', hasMore, warnings: [] };
    });
    answer(api, redeliverFailedOperation, () => ({ redelivered: 0, nextCursor: null, warnings: [] }));
  }

  /** Changes a delivery, as an attempt does. */
  change(wanted: string, changes: Partial<DeliveryView>): DeliveryView {
    this.deliveries = this.deliveries.map((each) => (each.id === wanted ? { ...each, ...changes } : each));
    return this.deliveries.find((each) => each.id === wanted) as DeliveryView;
  }

  private endpoint(wanted: string | undefined): WebhookView {
    return this.endpoints.find((each) => each.id === wanted) as WebhookView;
  }

  private page(all: readonly DeliveryView[], query: URLSearchParams) {
    const status = query.get('status');
    const begin = Number(query.get('cursor') ?? 0);
    const end = begin + Number(query.get('limit') ?? 50);
    const deliveries = all.slice(begin, end).filter((each) => status === null || each.status === status);
    return { deliveries, nextCursor: end < all.length ? String(end) : null };
  }
}

const pending: Partial<DeliveryView> = { status: 'pending', attempts: [] };

export function memberOf(number: number, changes: Partial<MemberView> = {}): MemberView {
  return {
    id: id(number),
    email: `member-${number}@herald.example`,
    name: null,
    role: 'member',
    status: 'active',
    personId: `person-${number}`,
    isYou: false,
    createdAt: ago(days(100)),
    joinedAt: ago(days(99)),
    endsAt: null,
    ...changes,
  };
}
