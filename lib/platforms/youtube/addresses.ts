import { apiVersions } from '../contract/api-versions.ts';
import type { PlatformTools } from '../contract/tools.ts';

/** Base URL of the API. */
export function apiRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/youtube/${apiVersion}`;
}

/** Base URL of the calls that upload files. */
export function uploadRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/upload/youtube/${apiVersion}`;
}
