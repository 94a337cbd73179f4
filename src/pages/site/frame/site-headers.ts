/** The security headers of public pages, and so their Content-Security-Policy. */
import { securityHeaders } from '../../../platform/web/security-headers.ts'

/** Pages with relative URLs have a `<base>`. */
export const sitePageHeaders = securityHeaders({ 'base-uri': "'self'" }, 'strict-origin-when-cross-origin')
