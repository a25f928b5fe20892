import type { PlatformApp } from '../../lib/platforms/contract/tools.ts';

/** The parameters with values that authorize something. Upload URLs have some of them in their query. */
const secretParameters =
  /\b(access_token|refresh_token|input_token|appsecret_proof|client_secret|code|upload_id|upload_token|token|signature|x-amz-[a-z-]+)(=|%3D|"?\s*:\s*"?)[^&\s"'|]+/gi;
const bearer = /\b(bearer|oauth)\s+[\w.~+/=|-]{12,}/gi;

/** Returns the secrets of an app. */
export function appSecrets({
  clientSecret,
  organization,
  metaAppSecret,
  webhookVerifyToken,
}: PlatformApp): string[] {
  return [clientSecret, organization?.clientSecret, metaAppSecret, webhookVerifyToken].filter(
    (secret) => secret !== undefined,
  );
}

/**
 * Makes a function that removes secrets from texts for people: the known ones in every usual encoding, and any text in
 * a place where a secret usually is.
 *
 * @param secrets tokens and secrets of this run
 */
export function redacting(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(secret).toString('base64url'),
    ])
    .sort((left, right) => right.length - left.length);
  return (text) =>
    known
      .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text)
      .replaceAll(secretParameters, '$1$2[secret]')
      .replaceAll(bearer, '$1 [secret]');
}
