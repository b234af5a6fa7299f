// `import OSLog` imports all of `os`. Reading a log (`OSLogStore`) isn't possible: swift-log only writes.
@_exported public import os
