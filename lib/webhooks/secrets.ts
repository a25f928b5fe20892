import type { Vault } from '../accounts/index.ts';
import { randomToken } from '../kernel/ids.ts';
import type { Webhook } from './schemas.ts';

type WebhookRef = Pick<Webhook, 'workspaceId' | 'id'>;

/** The HMAC key is the whole text as it is shown, prefix and all: 40 random letters and digits, 238 bits. */
export const newWebhookSecret = (): string => `whsec_${randomToken(40)}`;

const sealContext = ({ workspaceId, id }: WebhookRef) => ({
  workspace: workspaceId,
  webhook: id,
  purpose: 'signing',
});

export function sealWebhookSecret(vault: Vault, webhook: WebhookRef, secret: string): Promise<string> {
  return vault.seal(secret, sealContext(webhook));
}

/** @throws where the text was sealed for another endpoint */
export function openWebhookSecret(vault: Vault, webhook: WebhookRef, sealed: string): Promise<string> {
  return vault.open(sealed, sealContext(webhook));
}
