import { vi } from 'vitest';
import { newRouter } from '../../../lib/panel/router.tsx';

/** The paths of all pages, as the router has them: `/posts/$id`. */
export function pagesOfRouter(): string[] {
  vi.stubGlobal('location', new URL('https://panel.test/'));
  const pages = Object.keys(newRouter().routesByPath);
  vi.unstubAllGlobals();
  return pages;
}
