let navigations = 0;

/** The router counts every page that it opens. */
export function countNavigation(): void {
  navigations += 1;
}

/** Returns true if another page of the panel was open before. The first page leaves the focus where the browser puts it. */
export const hasNavigated = (): boolean => navigations > 0;
