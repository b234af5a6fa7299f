import sys
# kinds of elements just under 32 MB
L=(1<<25)-5000
def head(f): f.write(b'<?xml version="1.0"?>\n<HealthData locale="en_US">\n')
F=b'sourceName="S" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 11:00:00 +0100"'
def el(f,o,fill,c,n=None):
    n=n or (L-len(o)-len(c))//len(fill)
    f.write(o+fill*n+c+b'\n')
W=b'<Workout workoutActivityType="HKWorkoutActivityTypeYoga" '+F+b'>'
R=b'<Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="7" '+F+b'>'
shapes={
 'workout-empty':(W,b'<a/>',b'</Workout>'),
 'workout-loc':(W+b'<WorkoutRoute '+F+b'>',b'<Location date="2024-03-01 10:00:00 +0100" latitude="1.00000001" longitude="-122.0000001" altitude="12.0000001" horizontalAccuracy="3.0" verticalAccuracy="3.0" course="111.0" speed="1.55"/>',b'</WorkoutRoute></Workout>'),
 'workout-long':(W,b'<aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb="cccccccccccccccccccc"/>',b'</Workout>'),
 'record-empty':(R,b'<a/>',b'</Record>'),
 'record-meta':(R,b'<MetadataEntry key="abcdefghijklmnop" value="abcdefghijklmnop"/>',b'</Record>'),
 'record-attrs':(R[:-1],b' a="b"',b'/>'),
 'novel-cap':(b'<Novel>',b'<a b=""/>',b'</Novel>',499990),
 'novel-capnest':(b'<Novel>',b'<aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb="cccccccccccccccccccc"/>',b'</Novel>',480000),
 'workout-capev':(W,b'<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2024-03-01 10:00:00 +0100" endDate="2024-03-01 11:00:00 +0100" sum="1" unit="count"/>',b'</Workout>'),
 'workout-meta':(W,b'<MetadataEntry key="abcdefghijklmnop" value="abcdefghijklmnop"/>',b'</Workout>',330000),
 'record-metacap':(R,b'<MetadataEntry key="abcdefghijklmnop" value="abcdefghijklmnop"/>',b'</Record>',330000),
 'record-metacap2':(R,b'<MetadataEntry key="" value=""/>',b'</Record>',333000),
 'record-zzcap':(R,b'<a/>',b'</Record>',990000),
 'corr':(b'<Correlation type="HKCorrelationTypeIdentifierFood" '+F+b'>',b'<Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="7" '+F+b'/>',b'</Correlation>'),
}
k=sys.argv[1]; f=open(sys.argv[2],'wb'); head(f); s=shapes[k]; el(f,*s); f.write(b'<Record type="HKQuantityTypeIdentifierStepCount" unit="count" value="9" '+F+b'/>\n</HealthData>\n')
