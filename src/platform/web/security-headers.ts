/** The security headers of every page: nothing from other origins, nothing inline, no frames. */
const strictest = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** @param directives of the content security policy, that replace or extend the strictest */
export function securityHeaders(
  directives: Readonly<Record<string, string>>,
  referrer: 'same-origin' | 'strict-origin-when-cross-origin',
): Record<string, string> {
  const policy = Object.entries({ ...strictest, ...directives })
  return {
    'content-security-policy': policy.map((directive) => directive.join(' ')).join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}
