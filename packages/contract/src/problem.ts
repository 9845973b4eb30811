import * as z from 'zod';

/** The error code of an invalid field, where it is not simply `Invalid`. */
export const FIELD_CODES: Record<string, string> = { email: 'InvalidEmail' };

/** One error. `field` names the request's field, if one is wrong. */
export const problemErrorSchema = z.object({
  code: z.string(),
  description: z.string(),
  field: z.string().optional(),
});

/** The body of every failed answer. */
export const problemSchema = z.object({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(problemErrorSchema),
  /** On a 500: the request's id in our log. */
  requestId: z.string().optional(),
});

export type ProblemError = z.infer<typeof problemErrorSchema>;
export type Problem = z.infer<typeof problemSchema>;
