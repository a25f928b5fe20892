import { apiVersions } from '../contract/api-versions.ts';
import type { PlatformTools } from '../contract/tools.ts';

export function apiRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/youtube/${apiVersion}`;
}

export function uploadRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/upload/youtube/${apiVersion}`;
}
