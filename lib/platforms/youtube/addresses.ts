import type { PlatformTools } from '../contract/tools.ts';
import { youtubeVersion } from './version.ts';

export function apiRoot({ apiVersion = youtubeVersion.name }: PlatformTools): string {
  return `https://www.googleapis.com/youtube/${apiVersion}`;
}

export function uploadRoot({ apiVersion = youtubeVersion.name }: PlatformTools): string {
  return `https://www.googleapis.com/upload/youtube/${apiVersion}`;
}
