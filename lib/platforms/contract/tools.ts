import type { PlatformHttp } from './http.ts';

/** What adapters are given of the world. */
export interface PlatformTools {
  readonly http: PlatformHttp;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** The app's credentials at the platform. Never logged. */
  readonly app: PlatformApp;
  /** Takes the place of the adapter's own version of the platform's API, such as `v26.0`. */
  readonly apiVersion?: string;
}

export interface PlatformApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** LinkedIn: the second app, which acts for organizations. */
  readonly organization?: Pick<PlatformApp, 'clientId' | 'clientSecret'>;
  /** Instagram: the secret of the Meta app around the Instagram app, which signs some of its webhooks. */
  readonly metaAppSecret?: string;
  /** Instagram: what the platform shows when it checks the callback address of its webhooks. */
  readonly webhookVerifyToken?: string;
}
