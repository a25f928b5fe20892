let navigations = 0;
/** The router counts every page that it opens. */
export function countNavigation() {
    navigations += 1;
}
/** Whether another page of the panel was open before. The first page leaves the focus where the browser puts it. */
export const hasNavigated = () => navigations > 0;
