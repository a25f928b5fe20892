/** Joins the names of classes that apply. */
export const join = (...names) => names.filter(Boolean).join(' ');
