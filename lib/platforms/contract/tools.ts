import type { PlatformHttp } from './http.ts';

/** An adapter's dependencies. */
export interface PlatformTools {
  readonly http: PlatformHttp;
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number;
  /** The app's credentials at the platform. Never logged. */
  readonly app: PlatformApp;
  /** The version of the platform's API to use instead of the one that the adapter is written for, such as `v26.0`. */
  readonly apiVersion?: string;
  /** The day (ISO 8601) on which that version ends, if the operator has given it. */
  readonly apiVersionSunsetOn?: string;
  /** The hosts of Threads to use instead of those that the adapter is written for. */
  readonly hosts?: PlatformHosts;
  /** True to call Pinterest's sandbox instead of its production API. */
  readonly isSandbox?: true;
}

export interface PlatformHosts {
  readonly api?: string;
  /** The host of the consent page. */
  readonly login?: string;
}

export interface PlatformApp {
  readonly clientId: string;
  readonly clientSecret: string;
  /** LinkedIn only: the second app, which acts for organizations. */
  readonly organization?: OrganizationApp;
  /** Facebook only: the configuration of Facebook Login for Business, which has the scopes. Absent: ordinary Facebook Login. */
  readonly loginConfigId?: string;
  /** Instagram only: the secret of the Meta app that contains the Instagram app; it signs some webhooks. */
  readonly metaAppSecret?: string;
  /** Instagram only: the token that the platform sends when it verifies the URL of Herald's webhook. */
  readonly webhookVerifyToken?: string;
}

/** LinkedIn's app with the Community Management API. */
export interface OrganizationApp extends Pick<PlatformApp, 'clientId' | 'clientSecret'> {
  /** True if members connect through this app too. */
  readonly members?: boolean;
  /** True if LinkedIn lets the app find the followers of an organization. */
  readonly followers?: boolean;
}
