import * as z from 'zod';

/**
 * Removes each null from a request's JSON if its field may be absent and does not take null, at any depth. Responses show null
 * for a field without a value, and clients send it back. Required fields keep their null, so that the error names it. Changes the
 * value.
 *
 * @param keepsOwn true if the fields of the outermost object keep their nulls. In a change (PATCH), null would have to mean
 *   something, so a field that cannot be cleared refuses it
 */
export function dropNulls(schema: z.core.$ZodType, value: unknown, keepsOwn = false): void {
  if (typeof value !== 'object' || value === null) return;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'lazy':
      dropNulls((schema as z.core.$ZodLazy)._zod.innerType, value, keepsOwn);
      break;
    case 'pipe':
      dropNulls(def.in, value, keepsOwn);
      break;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      dropNulls(def.innerType, value, keepsOwn);
      break;
    case 'union':
      for (const option of def.options) dropNulls(option, value, keepsOwn);
      break;
    case 'array':
      if (Array.isArray(value)) for (const item of value) dropNulls(def.element, item);
      break;
    case 'record':
      for (const entry of Object.values(value)) dropNulls(def.valueType, entry);
      break;
    case 'object':
      for (const [key, field] of Object.entries(def.shape)) {
        if (!Object.hasOwn(value, key)) continue;
        const entry: unknown = Reflect.get(value, key);
        if (entry !== null) dropNulls(field, entry);
        else if (!keepsOwn && field._zod.optin !== undefined && !z.safeParse(field, null).success)
          Reflect.deleteProperty(value, key);
      }
      break;
    default:
  }
}
