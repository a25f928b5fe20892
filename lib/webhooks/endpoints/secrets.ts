import type { Vault } from '../../accounts/vault.ts';
import type { Webhook } from '../schemas.ts';

type WebhookRef = Pick<Webhook, 'workspaceId' | 'id'>;

const sealContext = ({ workspaceId, id }: WebhookRef) => ({
  workspace: workspaceId,
  webhook: id,
  purpose: 'signing',
});

/** Seals a signing secret so that {@link openWebhookSecret} opens it only for its endpoint. */
export function sealWebhookSecret(vault: Vault, webhook: WebhookRef, secret: string): Promise<string> {
  return vault.seal(secret, sealContext(webhook));
}

/** @throws if the text was sealed for another endpoint */
export function openWebhookSecret(vault: Vault, webhook: WebhookRef, sealed: string): Promise<string> {
  return vault.open(sealed, sealContext(webhook));
}
