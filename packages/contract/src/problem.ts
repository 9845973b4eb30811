import * as z from 'zod';

/** The code of a field that is not as it should be, where it is not simply `Invalid`. */
export const FIELD_CODES: Record<string, string> = { email: 'InvalidEmail' };

/** One thing that is wrong. `field` names the request's field where there is one. */
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
  /** On a 500: what our log knows the request by. */
  requestId: z.string().optional(),
});

export type ProblemError = z.infer<typeof problemErrorSchema>;
export type Problem = z.infer<typeof problemSchema>;
